import { dirname, join } from 'node:path'
import ts from 'typescript'

/** A name that a file declares or imports, with the statements that do so. */
type Known = { statements: ts.Statement[] } | { file: string; imported: string }

/**
 * Keeps only the declarations that the entry files reach, so that the package does not carry the types of everything else
 * in the same modules.
 *
 * @param declarations Texts of `.d.ts` files by path.
 * @param entries Paths of the files whose exports are public.
 * @returns The texts that remain, by path.
 */
export function pruneDeclarations(
  declarations: ReadonlyMap<string, string>,
  entries: readonly string[],
): Map<string, string> {
  const sources = new Map<string, ts.SourceFile>()
  for (const [file, text] of declarations) {
    sources.set(file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  }
  const names = new Map([...sources].map(([file, source]) => [file, namesOf(file, source)]))
  const kept = new Set<ts.Statement>()
  const used = new Map<string, Set<string>>()

  const use = (file: string, name: string): void => {
    const inFile = used.get(file) ?? new Set()
    if (inFile.has(name)) return
    used.set(file, inFile.add(name))
    const known = names.get(file)?.get(name)
    if (known === undefined) return
    if ('file' in known) use(known.file, known.imported)
    else for (const statement of known.statements) keep(file, statement)
  }
  const keep = (file: string, statement: ts.Statement): void => {
    if (kept.has(statement)) return
    kept.add(statement)
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && !isMemberName(node)) use(file, node.text)
      if (ts.isImportTypeNode(node) && node.qualifier && ts.isIdentifier(node.qualifier)) {
        const from = ts.isLiteralTypeNode(node.argument) ? targetOf(file, node.argument.literal) : undefined
        if (from !== undefined) use(from, node.qualifier.text)
      }
      ts.forEachChild(node, visit)
    }
    visit(statement)
  }
  for (const file of entries) {
    for (const statement of sources.get(file)?.statements ?? []) {
      if (ts.isImportDeclaration(statement)) continue
      keep(file, statement)
    }
  }
  const shown = listExports(entries, names)
  const isShown = (file: string, statement: ts.Statement): boolean =>
    entries.includes(file) || shown.has(statement)
  return new Map(
    [...sources].flatMap(([file, source]) => {
      const inFile = used.get(file)
      if (inFile === undefined) return []
      const texts = source.statements.map((statement) => {
        if (ts.isImportDeclaration(statement)) return importOf(source, statement, inFile)
        if (!kept.has(statement)) return ''
        return isShown(file, statement) ? statement.getFullText(source) : `\n${statement.getText(source)}`
      })
      return [[file, `${texts.join('').trim()}\n`]]
    }),
  )
}

/** A member may have the name of a declaration of the file. */
function isMemberName(node: ts.Identifier): boolean {
  return (ts.isPropertySignature(node.parent) || ts.isParameter(node.parent)) && node.parent.name === node
}

/** The declarations that the entry files export, from whatever file. */
function listExports(
  entries: readonly string[],
  names: ReadonlyMap<string, ReadonlyMap<string, Known>>,
): Set<ts.Statement> {
  const shown = new Set<ts.Statement>()
  const show = (file: string, name: string): void => {
    const known = names.get(file)?.get(name)
    if (known === undefined) return
    if ('file' in known) show(known.file, known.imported)
    else for (const statement of known.statements) shown.add(statement)
  }
  for (const file of entries) for (const name of names.get(file)?.keys() ?? []) show(file, name)
  return shown
}

/** Every name in a file's scope, and the name under which `export … from` passes one on. */
function namesOf(file: string, source: ts.SourceFile): Map<string, Known> {
  const names = new Map<string, Known>()
  const declare = (name: string, statement: ts.Statement): void => {
    const known = names.get(name)
    if (known !== undefined && 'statements' in known) known.statements.push(statement)
    else names.set(name, { statements: [statement] })
  }
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      for (const [name, imported] of specifiersOf(statement.importClause?.namedBindings)) {
        const from = targetOf(file, statement.moduleSpecifier)
        if (from !== undefined) names.set(name, { file: from, imported })
      }
    } else if (ts.isExportDeclaration(statement)) {
      for (const [name, imported] of specifiersOf(statement.exportClause)) {
        const from = targetOf(file, statement.moduleSpecifier)
        if (from !== undefined) names.set(name, { file: from, imported })
      }
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) declare(name.text, statement)
      }
    } else if ('name' in statement && statement.name !== undefined) {
      declare((statement.name as ts.Identifier).text, statement)
    }
  }
  return names
}

function specifiersOf(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined) {
  if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return []
  return bindings.elements.map(({ name, propertyName }) => [name.text, (propertyName ?? name).text] as const)
}

/** The declaration file of a relative import; undefined for a package. */
function targetOf(file: string, specifier: ts.Node | undefined): string | undefined {
  if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return
  return join(dirname(file), specifier.text.replace(/\.[jt]s$/, '.d.ts'))
}

/** An import with only the names that are used, or nothing. */
function importOf(source: ts.SourceFile, statement: ts.ImportDeclaration, used: Set<string>): string {
  const { name, namedBindings: bindings } = statement.importClause ?? {}
  const text = statement.getFullText(source)
  if (bindings === undefined || !ts.isNamedImports(bindings)) {
    const local = name ?? bindings?.name
    return local === undefined || used.has(local.text) ? text : ''
  }
  const elements = bindings.elements.filter((element) => used.has(element.name.text))
  if (elements.length === 0) return ''
  const list = elements.map((element) => element.getText(source)).join(', ')
  return text.replace(bindings.getText(source), () => `{ ${list} }`)
}
