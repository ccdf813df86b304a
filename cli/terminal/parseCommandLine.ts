import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usageError.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Options that every command has. */
const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/**
 * Parses the words after a command.
 *
 * @throws UsageError for an unknown option, one that is there twice, or too many words.
 */
export function parseCommandLine<const Given extends Options>(
  args: readonly string[],
  options: Given,
  wordsMax = 0,
) {
  const parsed = parseOrExplain(args, options)
  const extra = parsed.positionals[wordsMax]
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`)
  const named = parsed.tokens.flatMap((token) => (token.kind === 'option' ? token.name : []))
  const twice = named.find((name, nth) => options[name]?.multiple !== true && named.indexOf(name) < nth)
  if (twice !== undefined) throw new UsageError(`The option --${twice} is there twice.`)
  return parsed
}

function parseOrExplain<const Given extends Options>(args: readonly string[], options: Given) {
  try {
    const all = { ...options, ...COMMON }
    return parseArgs({ args: [...args], allowPositionals: true, tokens: true, options: all })
  } catch (error) {
    // Node explains some mistakes in several lines.
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(message.replaceAll('\n', ' '), { cause: error })
  }
}
