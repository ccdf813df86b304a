import { dirname, join, relative } from 'node:path'

const MERGED = 'client/parts.d.ts'
const DECLARED = /^(?:export )?(?:declare )?(?:const|function|class|type|interface) (\w+)/gm
const PACKAGE_IMPORT = /^import (?:type )?(.* from '[^.'].*)\n/gm
const RELATIVE_IMPORT = /^import (?:type )?[^;]* from '(\.[^']*)';\n/gm

/**
 * Merges the declarations of all files but the entries into one: in the archive of a package, each file costs as much as
 * several declarations.
 *
 * A file that declares a name of another one stays apart.
 *
 * @param declarations Texts of `.d.ts` files by path, as the compiler formats them.
 * @param entries Paths of the files that remain as they are, apart from where they import from.
 * @returns The texts by path.
 */
export function mergeDeclarations(
  declarations: ReadonlyMap<string, string>,
  entries: readonly string[],
): Map<string, string> {
  const taken = new Set<string>()
  const merged = new Map<string, string>()
  for (const [file, text] of declarations) {
    const names = [...text.matchAll(DECLARED)].map(([, name = '']) => name)
    if (entries.includes(file) || names.some((name) => taken.has(name))) continue
    for (const name of names) taken.add(name)
    merged.set(file, text)
  }
  const targetOf = (file: string, module: string) => join(dirname(file), module.replace(/\.[jt]s$/, '.d.ts'))
  const isMerged = (file: string, module: string) => merged.has(targetOf(file, module))
  /** Where a file finds the merged declarations, in the form of an import. */
  const pathTo = (file: string) => {
    const path = relative(dirname(file), MERGED).replace(/\.d\.ts$/, '.js')
    return path.startsWith('.') ? path : `./${path}`
  }
  const redirect = (file: string, text: string) =>
    text.replace(/(from '|import\(")(\.[^'"]*)/g, (whole, before: string, module: string) =>
      isMerged(file, module) ? before + pathTo(file) : whole,
    )

  const packages = [...merged.values()].flatMap((text) =>
    [...text.matchAll(PACKAGE_IMPORT)].map(([, rest]) => `import ${rest}`),
  )
  const parts = [...merged].map(([file, text]) =>
    text
      .replace(PACKAGE_IMPORT, '')
      .replace(RELATIVE_IMPORT, (whole, module: string) => (isMerged(file, module) ? '' : whole))
      .replace(/import\("(\.[^"]*)"\)\./g, (whole, module: string) => (isMerged(file, module) ? '' : whole)),
  )
  const rest = [...declarations].filter(([file]) => !merged.has(file))
  return new Map([
    ...rest.map(([file, text]) => [file, redirect(file, text)] as const),
    [MERGED, [...new Set(packages), ...parts.map((text) => text.trim())].join('\n')],
  ])
}
