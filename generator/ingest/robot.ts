/**
 * Which user agents are robots: crawlers, link previews and monitors, which fetch without a user who wants
 * to use a build. Package managers, `curl`, CI and agents are not: they install. The words are those by
 * which the operators name their programs; `docs/signals.md` lists their sources.
 */
import { lowerCase } from '../../format/unicode.ts';

/** Words inside other words count too, except `bot`, which must end one (as `Googlebot/2.1` does). */
const WORDS: readonly string[] = [
  'ahrefs',
  'amazon-kendra',
  'archive.org',
  'archiver',
  'ia_archiver',
  'baiduspider',
  'bingpreview',
  'bytespider',
  'checkhost',
  'crawl',
  'datadogsynthetics',
  'embedly',
  'externalhit',
  'facebookcatalog',
  'feedfetcher',
  'feedly',
  'google-extended',
  'google-read-aloud',
  'google-site-verification',
  'googleother',
  'headlesschrome',
  'heritrix',
  'httrack',
  'inspectiontool',
  'lighthouse',
  'mediapartners-google',
  'meta-externalagent',
  'monitor',
  'newrelicpinger',
  'nuclei',
  'nutch',
  'pingdom',
  'phantomjs',
  'prerender',
  'preview',
  'scrapy',
  'slurp',
  'site24x7',
  'spider',
  'statuscake',
  'uptime',
  'validator',
  'virustotal',
  'whatsapp',
  'yandeximages',
  'zgrab',
  'censys',
  'masscan',
  'nmap',
  'expanse',
];

/** Cubot makes telephones. */
const BOT: RegExp = /(?<!cu)bot(?![a-z])/i;

/** Agents that were looked at; a log repeats few of them. */
const MAX_KNOWN_AGENTS = 10_000;
const known = new Map<string, boolean>();

/** Whether `agent` names a robot; a missing user agent does not. */
export function isRobot(agent: string): boolean {
  const before = known.get(agent);
  if (before !== undefined) return before;
  // Hostile logs name a new one in each line: the memory is emptied, not left to grow.
  if (known.size >= MAX_KNOWN_AGENTS) known.clear();
  const lower = lowerCase(agent);
  const answer = BOT.test(agent) || WORDS.some((word) => lower.includes(word));
  known.set(agent, answer);
  return answer;
}
