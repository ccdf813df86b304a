import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usageError.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Options that every command has. */
const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/**
 * Parses the words after a command.
 *
 * @throws UsageError for an unknown option, or too many words.
 */
export function parseCommandLine<const Given extends Options>(
  args: readonly string[],
  options: Given,
  wordsMax = 0,
) {
  const parsed = parseOrExplain(args, options)
  const extra = parsed.positionals[wordsMax]
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`)
  return parsed
}

function parseOrExplain<const Given extends Options>(args: readonly string[], options: Given) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { ...options, ...COMMON } })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
