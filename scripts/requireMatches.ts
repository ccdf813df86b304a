import { globSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/**
 * Checks that every pattern of a table matches a file, so that a file cannot move without its row being updated.
 *
 * @param owner Names the table in the error.
 * @throws Error that names the patterns, or the alternatives of their braces, that match no file.
 */
export function requireMatches(owner: string, patterns: readonly string[]): void {
  const unmatched = patterns
    .flatMap(expandBraces)
    .filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)
  if (unmatched.length > 0) throw new Error(`${owner}: no file matches ${unmatched.join(', ')}`)
}

/** Expands `a{b,c}` to `ab` and `ac`; braces are not nested here. */
function expandBraces(pattern: string): string[] {
  const [, before, alternatives, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? []
  if (alternatives === undefined) return [pattern]
  return alternatives.split(',').flatMap((alternative) => expandBraces(`${before}${alternative}${after}`))
}
