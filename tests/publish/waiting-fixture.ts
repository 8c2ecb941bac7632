/** Pull requests that are merged after a waiting period, in a code host: `publish.yml` and `waiting.yml` judge them. */
import type { Files } from '../generate/git-fixture.ts';
import { CodeHostFixture } from './code-host-fixture.ts';
import type { Pull } from './code-host-fixture.ts';
import { ALICE, REGISTRY, build } from './gate-fixture.ts';

export const DAYS = { 'gate-new-name': 24, 'gate-name-twin': 72 };
export const NEW_NAME = build('alice/image-cutter', '1.0.0');

export class Waiting {
  readonly host: CodeHostFixture;

  private constructor(host: CodeHostFixture) {
    this.host = host;
  }

  static async open(hours: object = DAYS): Promise<Waiting> {
    const config = JSON.parse(String(REGISTRY['registry.config.json'])) as object;
    const text = JSON.stringify({ ...config, waiting_hours: hours });
    return new Waiting(await CodeHostFixture.open({ ...REGISTRY, 'registry.config.json': text }));
  }

  /** Opens a pull request of Alice, which the gate judges. */
  async propose(files: Files = NEW_NAME): Promise<Pull> {
    const pull = this.host.pull(ALICE, files);
    await this.host.publish(pull);
    return pull;
  }

  /** Moves the times of all statuses back by so much. */
  pass(hours: number): void {
    for (const status of this.host.statuses) {
      const time = Date.parse(status.created_at) - hours * 3_600_000;
      status.created_at = new Date(time).toISOString();
    }
  }

  /** Runs waiting.yml; returns the pull requests that it has judged again. */
  async wake(): Promise<string[]> {
    const before = this.host.dispatched.length;
    const ran = await this.host.run('wake-waiting', { GITHUB_TOKEN: 'write' });
    if (ran.status !== 0) throw new Error(ran.stdout);
    const woken = this.host.dispatched.slice(before);
    return woken.map(({ file, inputs }) =>
      file === 'publish.yml' ? (inputs['pull'] ?? '') : file,
    );
  }

  /** Merges another change into the main branch. */
  async landed(files: Files): Promise<void> {
    const { git } = this.host;
    git.git('fetch', '-q', 'origin', 'main');
    git.git('checkout', '-q', '-f', 'FETCH_HEAD');
    git.commit(files);
    git.git('push', '-q', 'origin', 'HEAD:main');
  }

  /** Runs publish.yml as waiting.yml starts it; returns whether it merged. */
  async publish(pull: Pull): Promise<boolean> {
    const before = this.host.main;
    await this.host.publish(pull);
    const isMerged = this.host.main !== before;
    if (isMerged) pull.state = 'closed';
    return isMerged;
  }
}
