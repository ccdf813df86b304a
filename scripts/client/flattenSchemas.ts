import ts from 'typescript'

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ['node'],
}
const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias
const OF_SCHEMA = /^z\.(?:output|infer)$/

/**
 * Writes out the types of schemas (`z.output<typeof schema>`), so that the declarations of a package neither contain the
 * schemas nor need the schema library.
 *
 * @param files Paths of the declaration files, which have to be on the disk with everything they import.
 * @returns The texts that change, by path.
 */
export function flattenSchemas(files: readonly string[]): Map<string, string> {
  const program = ts.createProgram({ rootNames: files, options: OPTIONS })
  const checker = program.getTypeChecker()
  const flattened = new Map<string, string>()
  for (const file of files) {
    const source = program.getSourceFile(file)
    if (source === undefined) throw new Error(`${file} cannot be read`)
    const edits = listEdits(source, checker)
    if (edits.length === 0) continue
    let text = source.text
    for (const { start, end, by } of edits.toReversed()) text = text.slice(0, start) + by + text.slice(end)
    flattened.set(file, text)
  }
  return flattened
}

type Edit = { start: number; end: number; by: string }

/** Lists the changes of a file, in its order. */
function listEdits(source: ts.SourceFile, checker: ts.TypeChecker): Edit[] {
  const edits: Edit[] = []
  const write = (node: ts.TypeNode): string => {
    const type = checker.getTypeFromTypeNode(node)
    if (type.flags & ts.TypeFlags.Any)
      throw new Error(`${source.fileName}: ${node.getText(source)} is unknown`)
    return checker.typeToString(type, node, FORMAT)
  }
  const visit = (node: ts.Node): void => {
    const range = { start: node.getStart(source), end: node.end }
    if (ts.isTypeReferenceNode(node) && OF_SCHEMA.test(node.typeName.getText(source))) {
      edits.push({ ...range, by: `(${write(node)})` })
    } else if (ts.isExpressionWithTypeArguments(node) && OF_SCHEMA.test(node.expression.getText(source))) {
      // An interface extends a name, not a type that is written out.
      const { name } = node.parent.parent as ts.InterfaceDeclaration
      const start = node.parent.parent.getStart(source, true)
      edits.push({ start, end: start, by: `type ${name.text}Members = ${write(node)};\n` })
      edits.push({ ...range, by: `${name.text}Members` })
    } else ts.forEachChild(node, visit)
  }
  visit(source)
  return edits.sort((a, b) => a.start - b.start)
}
