/** Begins a declaration in a report of API Extractor, whose release tags we do not use. */
const DECLARATION = /^\/\/ @public.*\n/m
/** What follows the last declaration, and remarks of API Extractor between them. */
const REMARK = /^(?:\/\/.*|```)$/gm
const NAME =
  /^(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|type|interface|enum|namespace) (\w+)/m

/**
 * Finds the public names of a module that a change adds, alters or removes without a word in the changelog.
 *
 * @param before Report of API Extractor about the module as it was; null for a new module.
 * @param after The same as it is.
 * @param unreleased Text of the changelog about what is not released yet, with names in backticks.
 */
export function findUnannounced(before: string | null, after: string, unreleased: string): string[] {
  if (before === null) return []
  const [old, current] = [readDeclarations(before), readDeclarations(after)]
  const names = new Set([...old.keys(), ...current.keys()])
  return [...names].filter(
    (name) => old.get(name) !== current.get(name) && !unreleased.includes(`\`${name}\``),
  )
}

/**
 * Returns the text under the heading `[Unreleased]`.
 *
 * @throws Error without that heading. Source: Keep a Changelog 1.1.0.
 */
export function readUnreleased(changelog: string): string {
  const text = changelog.split(/^## /m).find((section) => section.startsWith('[Unreleased]'))
  if (text === undefined) throw new Error('the changelog has no section [Unreleased]')
  return text
}

/** Texts of declarations by name; overloads of a function share one. */
function readDeclarations(report: string): Map<string, string> {
  const declarations = new Map<string, string>()
  for (const part of report.split(DECLARATION).slice(1)) {
    const text = part.replace(REMARK, '').trim()
    const name = NAME.exec(text)?.[1]
    if (name !== undefined) declarations.set(name, (declarations.get(name) ?? '') + text)
  }
  return declarations
}
