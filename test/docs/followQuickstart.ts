import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { readBlocks } from './readBlocks.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The only command that is not run: the caller has installed the project, and started the service. */
const DONE = /^npm ci && npm start\b.*\n$/

/** A command of a page, what it printed, and what the page says about that. */
export type Step = { command: string; output: string; shown: { language: string; text: string } | null }

/**
 * Follows a quickstart to the letter: runs its `sh` blocks in their order in one shell, which begins in the project's
 * folder, and saves each program whose first line names its file where the shell is by then.
 *
 * @param home The reader's home folder, for which an empty one is meant.
 * @param values What this machine has instead of the page's addresses and ports, and the variables of its shell.
 * @throws Error with the output if a command fails.
 */
export async function followQuickstart(
  page: string,
  home: string,
  values: { replaced: Readonly<Record<string, string>>; variables: Readonly<Record<string, string>> },
): Promise<Step[]> {
  const blocks = readBlocks(`docs/start/${page}`).map(({ language, text }) => ({
    language,
    text: Object.entries(values.replaced).reduce((all, [from, to]) => all.replaceAll(from, to), text),
  }))
  const steps: Omit<Step, 'output'>[] = []
  // What the page starts in the background ends with the shell.
  const script = ['exec 2>&1', `started=''; trap 'for one in $started; do kill $one || true; done' EXIT`]
  for (const [nth, { language, text }] of blocks.entries()) {
    const next = blocks[nth + 1]
    const shown = next && ['', 'json'].includes(next.language) ? next : null
    if (language === 'js') script.push(`cat > ${nameOf(text)} <<'END OF THE FILE'\n${text}END OF THE FILE`)
    if (language !== 'sh' || DONE.test(text)) continue
    script.push(`echo; echo '<<${steps.length}>>'`, text)
    if (text.endsWith('&\n')) script.push('started="$started $!"')
    steps.push({ command: text, shown })
  }
  const outputs = (await run(script.join('\n'), home, values.variables)).split(/\n<<\d+>>\n/).slice(1)
  return steps.map((step, nth) => ({ ...step, output: outputs[nth] ?? '' }))
}

/** Whether an output is what a page shows, where `…` stands for anything. */
export function isAsShown(output: string, shown: string): boolean {
  const parts = shown.trim().split('…')
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')
  return new RegExp(`^${pattern}$`).test(output.trim())
}

function nameOf(program: string): string {
  const name = /^\/\/ ([\w.]+)\n/.exec(program)?.[1]
  if (name === undefined) throw new Error('a program of a quickstart names its file in its first line')
  return name
}

function run(script: string, home: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const env = {
    ...process.env,
    // Otherwise in the home folder, which is empty.
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    npm_config_prefer_offline: 'true',
    ...variables,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    PATH: readersPath(),
  }
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euc', script], { cwd: ROOT, env, timeout: 550_000 }, (error, stdout) => {
      if (error) reject(new Error(`a command of the page failed: ${stdout}`, { cause: error }))
      else resolve(stdout)
    })
  })
}

/** Without what npm adds for a script, so that the reader has the system's Node until the page says otherwise. */
function readersPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((folder) => !/node_modules|node-gyp-bin/.test(folder)).join(delimiter)
}
