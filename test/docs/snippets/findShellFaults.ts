import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMcpSettings } from '@svc/gate/mcp/readMcpSettings.ts'
import { readSettings } from '@svc/gate/settings/readSettings.ts'
import { SETTINGS } from '../../../server/config/settings.ts'

const ROOT = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Programs of the reader's machine. */
const TOOLS = ['cd', 'curl', 'echo', 'export', 'install', 'mkdir', 'openssl', 'sed', 'tee', 'umask']

/** Variables that the commands of pages set and that are no settings of the service. */
const VARIABLES = /^(FAULTS|MINUTES|MONITOR_\w+|PORT|PYTHONPATH|SHOP_URL|SVC_API_KEY)$/

/** A word with its quoted parts, or what separates commands. */
const TOKEN = /(?:'[^']*'|"[^"]*"|[^\s'"|;&()<>])+|\n|&&|\|\||[|;&()]|[<>]+ *\S+/g

/**
 * Finds what is wrong with the commands of a page without running them: their syntax, and scripts, options, settings, files
 * and programs that do not exist.
 */
export function findShellFaults(text: string): string[] {
  const parsed = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
  if (parsed.status !== 0) return [parsed.stderr]
  const plain = text.replace(/(^|\s)#.*$/gm, '').replaceAll('\\\n', ' ')
  const commands: string[][] = [[]]
  for (const [token] of plain.matchAll(TOKEN)) {
    if (/^(\n|&&|\|\||[|;&()])$/.test(token)) commands.push([])
    else if (!/^[<>]/.test(token)) commands.at(-1)?.push(token.replaceAll(/['"]/g, ''))
  }
  return commands.filter((words) => words.length > 0).flatMap(findFaults)
}

function findFaults(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !/^\w+=/.test(word))
  const names = words.slice(0, start < 0 ? words.length : start).map((word) => word.split('=')[0] ?? '')
  const unknown = names.filter((name) => !VARIABLES.test(name) && !(name.replace(/_FILE$/, '') in SETTINGS))
  const faults = unknown.map((name) => `no setting is called ${name}`)
  return start < 0 ? faults : [...faults, ...findCommandFaults(words.slice(start))]
}

function findCommandFaults([program = '', ...args]: readonly string[]): string[] {
  switch (program) {
    case 'npm':
      return findNpmFaults(args)
    case 'npx':
      return existsSync(join(ROOT, 'node_modules/.bin', args[0] ?? '')) ||
        args[0] === '@modelcontextprotocol/server-everything'
        ? findMissingFiles(args)
        : [`npx would look for ${args[0]} on the registry`]
    case 'nice':
      return findCommandFaults(args.slice(2))
    case 'node':
    case 'python3':
      return findMissingFiles(args)
    case 'pip':
      return args[0] === 'install' && existsSync(join(ROOT, args[1] ?? '', 'pyproject.toml'))
        ? []
        : [`pip ${args.join(' ')}`]
    case 'docker':
    case 'kubectl':
    case 'systemd-run':
      return findContainerFaults(args)
    case 'svc-gate':
      return findGateFaults(args)
    default:
      return TOOLS.includes(program) ? [] : [`no program is called ${program}`]
  }
}

function findNpmFaults([verb = '', name = '', ...args]: readonly string[]): string[] {
  if (['ci', 'start', 'test', 'pack'].includes(verb)) return []
  const script = scripts[name]
  if (verb !== 'run' || script === undefined) return [`npm ${verb} ${name}`]
  const [, file] = /^node (\S+)$/.exec(script) ?? []
  if (file === undefined) return findMissingFiles(args)
  const sources = [file, `${file.replace('.ts', '')}/**/*.ts`, 'cli/{audit,monitor}/*.ts']
  const code = globSync(sources, { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))
  const options = args.filter((word) => word.startsWith('--') && word !== '--')
  const unknown = options.filter((option) => !code.some((source) => isRead(source, option.slice(2))))
  return [...unknown.map((option) => `npm run ${name} knows no ${option}`), ...findMissingFiles(args)]
}

/** Whether a program has an option, as `parseArgs` and usages spell it. */
function isRead(source: string, option: string): boolean {
  return new RegExp(`--${option}\\b|'?\\b${option}'?: \\{`).test(source)
}

function findMissingFiles(args: readonly string[]): string[] {
  const files = args.filter((word) => /\.(ts|js)$/.test(word))
  return files.filter((file) => !existsSync(join(ROOT, file))).map((file) => `there is no ${file}`)
}

/** A command in a container is one of this project, which starts with `node`. */
function findContainerFaults(args: readonly string[]): string[] {
  const start = args.findIndex((word) => /^(.*\/)?node$/.test(word))
  const [, script = '', ...words] = start < 0 ? [] : args.slice(start)
  const unknown = args
    .flatMap((word) => /^--setenv=(\w+)=/.exec(word)?.[1] ?? [])
    .filter((name) => !(name.replace(/_FILE$/, '') in SETTINGS))
  const manifests = args.filter((word) => word.endsWith('.yaml') && !existsSync(join(ROOT, word)))
  const faults = [
    ...unknown.map((name) => `no setting is called ${name}`),
    ...manifests.map((file) => `there is no ${file}`),
  ]
  if (start < 0) return faults
  const [name] = Object.entries(scripts).find(([, command]) => command === `node ${script}`) ?? [script]
  return [...faults, ...findNpmFaults(['run', name, ...words])]
}

function findGateFaults(args: readonly string[]): string[] {
  const env = { SVC_API_KEY: 'svc_live_1' }
  const filled = args.map((word) => word.replace('SVCE-…', `SVCE-${'A'.repeat(22)}`))
  try {
    if (filled[0] === 'mcp') readMcpSettings({ args: filled.slice(1), env })
    else readSettings({ args: filled, env })
    return []
  } catch (error) {
    return [String(error)]
  }
}
