import { isAbsolute, relative, sep } from 'node:path'
import type { ServiceSummary } from './serviceSummary.ts'

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'cyan'

type Terminal = {
  /** Width in characters. */
  columns: number
  paint(style: Style, text: string): string
  /** Paths below it are shown relative to it. */
  workingFolder: string
}

/** From this width on, a label and its value share a line. */
const WIDE_FROM = 80
const LABEL_WIDTH = 11
const NAME_WIDTH = 21

/**
 * Renders what a terminal shows when the service has started.
 *
 * Addresses are never cut, because people copy them; on a narrow terminal they stand below their label.
 */
export function renderSummary(summary: ServiceSummary, terminal: Terminal): string {
  const { paint } = terminal
  const runs = summary.processes > 1 ? `is running in ${summary.processes} processes` : 'is running'
  const sections = [
    [paint('green', '●'), paint('bold', `Agent registry ${summary.version}`), runs].join(' '),
    [...addressRows(summary), ...chainRows(summary)],
    fileRows(summary, terminal),
    [row('Try it', { value: 'npm run demo' }), row('Stop', { value: 'Ctrl+C' })],
  ]
  const text = sections.map((section) =>
    typeof section === 'string' ? `  ${section}` : section.map((one) => layOut(one, terminal)).join('\n'),
  )
  return `\n${text.join('\n\n')}\n`
}

/** One label with one or more values, each of which may have a name. */
type Row = { label: string; values: Value[] }
type Value = { name?: string; value: string; style?: Style; isProse?: boolean }

const row = (label: string, ...values: Value[]): Row => ({ label, values })
const address = (value: string): Value => ({ value, style: 'cyan' })

function addressRows({ url, appUrl }: ServiceSummary): Row[] {
  return [
    row('Dashboard', address(appUrl)),
    row('Docs', address(`${url}/docs`)),
    row('API', address(`${url}/api`)),
  ]
}

function chainRows({ chain: { url, isLocal, deployed } }: ServiceSummary): Row[] {
  if (deployed === null) {
    const value = 'not ready yet: decisions are made, and their records wait to be anchored'
    return [row('Chain', address(url), { value, style: 'yellow', isProse: true })]
  }
  const kind = isLocal
    ? 'local: refilled from the database at every start'
    : 'where the audit log is anchored'
  const contracts = Object.entries(deployed.contracts).flatMap(([name, value]) =>
    value === null ? [] : [{ name: toWords(name), value }],
  )
  return [
    row('Chain', address(url), { value: `id ${deployed.chainId}, ${kind}`, style: 'dim', isProse: true }),
    row('Contracts', ...contracts),
    row('Audit log', { value: deployed.logId }),
  ]
}

function fileRows(summary: ServiceSummary, { workingFolder }: Terminal): Row[] {
  const { dataDir, keyFiles, mailFolder, registrationFilesDir, database } = summary
  const show = (path: string): string => {
    const fromHere = relative(workingFolder, path)
    return isAbsolute(path) && !fromHere.startsWith('..') ? `.${sep}${fromHere}` : path
  }
  const values: Value[] = [
    { name: 'database', value: show(database) },
    { name: 'keys in', value: show(dataDir) },
    { name: '', value: keyFiles.join(', '), style: 'dim', isProse: true },
    { name: 'registration files', value: show(registrationFilesDir) },
    ...(mailFolder === null ? [] : [{ name: 'e-mails', value: show(mailFolder) }]),
  ]
  return [row('Generated', ...values)]
}

function layOut({ label, values }: Row, terminal: Terminal): string {
  const { columns, paint } = terminal
  if (columns < WIDE_FROM) {
    const lines = values.flatMap((value) => [
      ...(value.name ? [`    ${paint('dim', value.name)}`] : []),
      ...wrap(value, terminal, value.name === undefined ? 4 : 6),
    ])
    return [`  ${paint('dim', label)}`, ...lines].join('\n')
  }
  const indent = LABEL_WIDTH + 3
  const lines = values.flatMap((value) => {
    const named = value.name === undefined ? 0 : NAME_WIDTH
    const [first = '', ...rest] = wrap(value, terminal, indent + named)
    const name = paint('dim', (value.name ?? '').padEnd(named))
    return [`${' '.repeat(indent)}${name}${first.slice(indent + named)}`, ...rest]
  })
  return `  ${paint('dim', label.padEnd(LABEL_WIDTH))} ${(lines[0] ?? '').slice(indent)}\n${lines.slice(1).join('\n')}`.trimEnd()
}

/** Returns the lines of a value, indented. Only prose is wrapped: nobody can copy an address in two parts. */
function wrap({ value, style, isProse }: Value, { columns, paint }: Terminal, indent: number): string[] {
  const lines: string[] = []
  for (const word of value.split(isProse ? ' ' : '\n')) {
    const last = lines.at(-1)
    if (last !== undefined && indent + last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines.map((line) => `${' '.repeat(indent)}${style === undefined ? line : paint(style, line)}`)
}

/** `identityRegistry` becomes `identity registry`. */
function toWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
