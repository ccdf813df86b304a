import { matchPattern } from './matchPattern.ts'
import { type GlobPattern, parseGlob } from './parseGlob.ts'

/**
 * Compiles a list of globs into one question: does any of them describe this whole text?
 *
 * Patterns without signs become a set, `fixed/**` a prefix, the rest are matched in linear time. A glob that does not
 * parse is skipped here: the schema has refused it before.
 */
export function compileGlobs(globs: readonly string[]): (text: string) => boolean {
  const exact = new Set<string>()
  const prefixes: string[] = []
  const patterns: GlobPattern[] = []
  for (const glob of globs) {
    const parsed = parseGlob(glob)
    if (!parsed.ok) continue
    for (const pattern of parsed.patterns) {
      const isPrefix = pattern.length > 1 && pattern.at(-1)?.kind === 'many'
      const fixed = fixedTextOf(isPrefix ? pattern.slice(0, -1) : pattern)
      if (fixed === undefined) patterns.push(pattern)
      else if (isPrefix) prefixes.push(`${fixed}/`)
      else exact.add(fixed)
    }
  }
  const hasExact = exact.size > 0
  return (text) => {
    for (const prefix of prefixes) if (startsWithSegments(text, prefix)) return true
    if (hasExact && exact.has(text)) return true
    for (const pattern of patterns) if (matchPattern(pattern, text)) return true
    return false
  }
}

/** `prefix` ends in a slash, which the text may lack when no segment follows. */
function startsWithSegments(text: string, prefix: string): boolean {
  return text.startsWith(prefix) || (text.length === prefix.length - 1 && prefix.startsWith(text))
}

function fixedTextOf(pattern: GlobPattern): string | undefined {
  const texts = pattern.map((segment) => (segment.kind === 'fixed' ? segment.text : undefined))
  return texts.includes(undefined) ? undefined : texts.join('/')
}

/**
 * Compiles allowed and denied resource globs into one question: is this resource refused?
 *
 * `plain` is the resource as `plainResource` reads it. No allowed globs: everything is allowed; a denied glob always wins and sees the
 * resource both as sent and decoded. A resource that cannot be read in one way only matches no allowed and every denied glob.
 */
export function compileResourceRules(
  allowed: readonly string[],
  denied: readonly string[],
): (resource: string, plain: string | undefined) => boolean {
  if (allowed.length === 0 && denied.length === 0) return () => false
  const isAllowed = allowed.length === 0 ? () => true : compileGlobs(allowed)
  if (denied.length === 0) return (resource, plain) => plain === undefined || !isAllowed(resource)
  const isDenied = compileGlobs(denied)
  return (resource, plain) =>
    plain === undefined ||
    isDenied(resource) ||
    (plain !== resource && isDenied(plain)) ||
    !isAllowed(resource)
}
