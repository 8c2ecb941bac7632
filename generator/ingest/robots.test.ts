import { expect, it } from 'vitest';
import { isRobot } from './robots.ts';

it.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'GPTBot/1.2',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Mozilla/5.0%20(compatible;%20YandexBot/3.0)',
  'facebookexternalhit/1.1',
  'Baiduspider+(+http://www.baidu.com/search/spider.htm)',
  'Pingdom.com_bot_version_1.4',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'python-requests/2.31 my-crawler',
])('isRobot() knows %s', (agent) => {
  expect(isRobot(agent)).toBe(true);
});

it.each([
  '',
  '-',
  'curl/8.9.1',
  'npm/11%20node/24',
  'yarn/4',
  'Wget/1.21',
  'node',
  'undici',
  'stackyard/0.1.0',
  'python-requests/2.31.0',
  'Go-http-client/2.0',
  'GitHub-Actions/1.0 (CI)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Linux; Android 14; CUBOT_X30) AppleWebKit/537.36',
  'bottle/1.0',
])('isRobot() lets %j pass', (agent) => {
  expect(isRobot(agent)).toBe(false);
});
