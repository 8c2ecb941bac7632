/**
 * Pages that run a script of a host that nobody knows. What `integrity` pins, and what the hosts of libraries, analytics, payment
 * and the like serve, is usual.
 */
import { INTEGRATION_FILE } from '../../../format/build/build-files.ts';
import type { Finding } from '../../../format/finding/finding.ts';
import { found } from '../../evidence/fact-finding.ts';
import { isOwnHost } from '../../evidence/trusted-place.ts';
import { wordPattern, wordsOf } from '../../parse/word-list.ts';
import type { Rule } from '../../rule.ts';
import { hostOf, isLocal } from '../../taint/address.ts';
import { fileKind, isTestPath } from '../../text/file-kind.ts';

const TAG =
  /<script\b(?![^<>]{0,500}\bintegrity\s{0,3}=)[^<>]{0,300}?\ssrc\s{0,3}=[\s{"'`\\]{0,4}((?:https?:)?\/\/[^\s"'`<>\\\0]{3,300})/gi;

const USUAL = wordPattern(/(?:^|\.)WORDS$/, {
  'libraries, analytics, sign-in, payment, captchas, and what is embedded': wordsOf([
    'jsdelivr.net unpkg.com cloudflare.com jquery.com bootstrapcdn.com esm.sh skypack.dev jspm.io',
    'tailwindcss.com fontawesome.com typekit.net mathjax.org d3js.org plot.ly aspnetcdn.com',
    'googletagmanager.com google-analytics.com cloudflareinsights.com plausible.io umami.is',
    'usefathom.com posthog.com sentry-cdn.com hotjar.com segment.com simpleanalyticscdn.com',
    'google.com googleapis.com gstatic.com microsoft.com msauth.net apple.com auth0.com stripe.com',
    'paypal.com hcaptcha.com telegram.org facebook.net twitter.com youtube.com vimeo.com disqus.com',
    'github.com googlecode.com mapbox.com giscus.app utteranc.es intercom.io crisp.chat googlesyndication.com',
  ]),
});

export const pageScript: Rule = {
  name: 'page-script',
  run: (build) => {
    const made = build.taint.facts.filter(({ api }) => api === '$page');
    return [
      ...build.files.map(({ path, text = '' }) => ({ path, at: 0, text })),
      ...made.flatMap(({ path, at, operand }) => operand.texts.map((text) => ({ path, at, text }))),
    ].flatMap(({ path, at, text }) => {
      if (fileKind(path) === 'prose' && path !== INTEGRATION_FILE) return [];
      return Array.from(text.matchAll(TAG), ({ 0: tag, 1: address = '', index }): Finding[] => {
        const host = hostOf(address) ?? 'localhost';
        if (isLocal(host) || USUAL.test(host) || isOwnHost(build, host)) return [];
        const place = { path, at: at + (at === 0 ? index : 0), end: at + index + tag.length };
        return [
          found(build, 'page-script', place, { host }, isTestPath(path) ? 'info' : undefined),
        ];
      }).flat();
    });
  },
};
