/** Makes summaries of builds. Words are drawn by Zipf's law, as words of texts are. The same arguments give the same builds. */
import type { BuildSummary } from '../../format/index/record.ts';

/** A name with its description, of which builds are made. */
interface Text {
  readonly name: string;
  readonly description: string;
}

const COMMON =
  'a for and the with to of in on that your an build from simple typescript api server node client data web app react tool module file python express module database library auth http json test using based support code types type service config command user users fast small plugin tools cli login session token email queue cache search image upload stripe payment sqlite postgres redis docker deploy logging metrics rate limit validation schema form router middleware template markdown editor chart table date time format parser stream socket event worker job cron mail sms push webhook oauth jwt password admin dashboard'.split(
    ' ',
  );
const VOCABULARY = 40_000;
const STACK = ['typescript', 'node', 'python', 'express', 'react', 'fastapi', 'hono', 'zod', 'pg'];
const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ys zen tra plo gri stu'.split(' ');

export function makeCatalog(builds: number): BuildSummary[] {
  const random = randomNumbers();
  const draw = zipf(random);
  const made: BuildSummary[] = [];
  const ids = new Set<string>();
  while (made.length < builds) {
    const text = makeText(draw, random);
    const id = `owner-${Math.floor(made.length / 4)}/${text.name}`;
    if (ids.has(id)) continue;
    ids.add(id);
    made.push(summary(id, text.description, draw, random));
  }
  return made;
}

function summary(
  id: string,
  description: string,
  draw: () => string,
  random: () => number,
): BuildSummary {
  const total = random() < 0.3 ? Math.floor(1 / (random() + 0.01)) : 0;
  const success = Math.round(total * (0.7 + 0.3 * random()));
  const requires = STACK.filter((_, at) => random() < 0.6 / (at + 1));
  return {
    id,
    kind: random() < 0.05 ? 'foundation' : 'module',
    latest: `1.${Math.floor(random() * 9)}.0`,
    description,
    keywords: Array.from({ length: Math.floor(random() * 6) }, draw),
    requires: Object.fromEntries(requires.map((tag) => [tag, '*'])),
    provides: random() < 0.4 ? [draw()] : [],
    license: 'MIT',
    risk: random() < 0.97 ? 'ok' : 'caution',
    quality: 100 - Math.floor(30 * random() ** 2),
    downloads: Math.floor(1 / (random() + 0.0001)) - 1,
    agent_reports: {
      success,
      failure: total - success,
      success_rate: total === 0 ? 0 : Number((success / total).toFixed(4)),
    },
    reputation: 50,
    updated_at: `2026-0${1 + Math.floor(random() * 9)}-01T00:00:00.000Z`,
    deprecated: random() < 0.02,
    yanked: random() < 0.005,
  };
}

function makeText(draw: () => string, random: () => number): Text {
  const words = (count: number): string[] => Array.from({ length: count }, draw);
  const name = words(1 + Math.floor(random() * 3))
    .join('-')
    .slice(0, 50)
    .replace(/-$/, '');
  return { name, description: words(8 + Math.floor(random() * 10)).join(' ') };
}

/** Draws words, the n-th most common with a probability in proportion to 1/n. */
function zipf(random: () => number): () => string {
  const sums: number[] = [];
  for (let at = 0, sum = 0; at < VOCABULARY; at += 1) sums.push((sum += 1 / (at + 2.7)));
  return () => {
    const point = random() * sums.at(-1)!;
    let [from, to] = [0, VOCABULARY - 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sums[middle]! < point) from = middle + 1;
      else to = middle;
    }
    return COMMON[from] ?? madeWord(from);
  };
}

function madeWord(number: number): string {
  let word = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length]!;
  }
  return word;
}

/** Numbers from 0 to 1 by Marsaglia's xorshift. */
function randomNumbers(): () => number {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}
