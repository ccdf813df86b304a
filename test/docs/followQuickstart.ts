import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A command of a page, what it printed, and what the page says about that. */
export type Step = { command: string; output: string; shown: { language: string; text: string } | null }

/**
 * Follows a quickstart to the letter in a folder: saves each program whose first line names its file, and runs the `sh`
 * blocks in their order in one shell.
 *
 * Blocks in `bash` prepare the reader's machine: they start the service and install packages, which the caller has done.
 *
 * @param values What this machine has instead of the page's addresses and ports, and the variables of its shell.
 * @throws Error with the output if a command fails.
 */
export async function followQuickstart(
  page: string,
  folder: string,
  values: { replaced: Readonly<Record<string, string>>; variables: Readonly<Record<string, string>> },
): Promise<Step[]> {
  const blocks = readBlocks(page, values.replaced)
  for (const { language, text } of blocks) {
    if (language === 'js') writeFileSync(join(folder, nameOf(text)), text)
  }
  const steps = blocks.flatMap(({ language, text }, nth) => {
    const next = blocks[nth + 1]
    const shown = next && ['', 'json'].includes(next.language) ? next : null
    return language === 'sh' ? [{ command: text, shown }] : []
  })
  // What the page starts in the background ends with the shell.
  const script = ['exec 2>&1', `started=''; trap 'for one in $started; do kill $one || true; done' EXIT`]
  for (const [nth, { command }] of steps.entries()) {
    script.push(`echo; echo '<<${nth}>>'`, command)
    if (command.endsWith('&\n')) script.push('started="$started $!"')
  }
  const outputs = (await run(script.join('\n'), folder, values.variables)).split(/\n<<\d+>>\n/).slice(1)
  return steps.map((step, nth) => ({ ...step, output: outputs[nth] ?? '' }))
}

/** Whether an output is what a page shows, where `…` stands for anything. */
export function isAsShown(output: string, shown: string): boolean {
  const parts = shown.trim().split('…')
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')
  return new RegExp(`^${pattern}$`).test(output.trim())
}

function readBlocks(page: string, replaced: Readonly<Record<string, string>>) {
  const written = readFileSync(join(ROOT, 'docs/start', page), 'utf8')
  const text = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), written)
  return Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), ([, language = '', code = '']) => ({
    language,
    text: code,
  }))
}

function nameOf(program: string): string {
  const name = /^\/\/ ([\w.]+)\n/.exec(program)?.[1]
  if (name === undefined) throw new Error('a program of a quickstart names its file in its first line')
  return name
}

function run(script: string, folder: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const env = {
    ...variables,
    PROJECT: ROOT,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
  }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-euc', script], { cwd: folder, env, timeout: 180_000 }, (error, stdout) => {
      if (error) reject(new Error(`a command of the page failed: ${stdout}`, { cause: error }))
      else resolve(stdout)
    })
  })
}
