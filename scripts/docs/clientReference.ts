import { join } from 'node:path'
import ts from 'typescript'
import { createTypePrinter } from './typePrinter.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENTRIES = ['index', 'express', 'fastify', 'fetch', 'webhooks', 'policy']
/** A type that stands in one line only because nobody broke it. */
const LONG_LINE = /^- `[^`]{220}/m

type Scribe = { checker: ts.TypeChecker; types: ReturnType<typeof createTypePrinter> }

/**
 * The reference of the client library: every public name with its types and what its doc comment says, by the module it
 * comes from, and the types that those name.
 */
export function clientReference(): string {
  const files = ENTRIES.map((entry) => join(ROOT, 'client', `${entry}.ts`))
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, ROOT)
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const met = new Set<ts.Symbol>()
  const scribe = { checker, types: createTypePrinter(checker, (symbol) => met.add(symbol)) }
  const public_ = new Set<ts.Symbol>()
  const sections = files.map((file, index) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    const names = checker.getExportsOfModule(module).sort((one, other) => one.name.localeCompare(other.name))
    const entries = names.map((name) => {
      const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name
      public_.add(symbol)
      return entryOf(scribe, symbol, name.name)
    })
    const entry = ENTRIES[index] === 'index' ? '@svc/client' : `@svc/client/${ENTRIES[index]}`
    return `## \`${entry}\`\n\n${entries.join('\n\n')}`
  })
  return `# Client library: every public name

Made from the types and doc comments in \`client/\` by \`npm run docs\`. How they are used:
[client/README.md](../client/README.md).

${sections.join('\n\n')}

## Types that these name

${namedTypes(scribe, met, public_).join('\n\n')}\n`
}

/** The types of the project that others name and no module exports, with those that they name in turn. */
function namedTypes(scribe: Scribe, met: Set<ts.Symbol>, known: Set<ts.Symbol>): string[] {
  const entries = new Map<string, string>()
  // A set is walked to its end, also where it grows on the way.
  for (const symbol of met) {
    const isType = (symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)) !== 0
    if (!isType || known.has(symbol) || !isOurs(symbol)) continue
    entries.set(symbol.name, entryOf(scribe, symbol, symbol.name))
  }
  return [...entries].sort(([one], [other]) => one.localeCompare(other)).map(([, entry]) => entry)
}

function entryOf({ checker, types }: Scribe, symbol: ts.Symbol, name: string): string {
  const said = wordsOf(checker, symbol)
  const isCalled = (symbol.flags & ts.SymbolFlags.Function) !== 0
  if (said.length === 0 && isCalled) throw new Error(`${name} has no doc comment`)
  const throws = symbol.getJsDocTags(checker).filter((tag) => tag.name === 'throws')
  const thrown = throws.map(({ text }) => `Throws ${withoutSource(ts.displayPartsToString(text))}`)
  const scribe = { checker, types }
  const details = isCalled ? callOf(scribe, symbol, name) : typeOf(scribe, symbol)
  return [`### \`${name}${isCalled ? '()' : ''}\``, ...said, ...thrown, ...details].join('\n\n')
}

function wordsOf(checker: ts.TypeChecker, symbol: ts.Symbol): string[] {
  const words = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  return words.split(/\n\n+/).map(withoutSource).filter(Boolean)
}

/** Where a sentence comes from is for those who read the code. */
function withoutSource(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?\b(Source|Spec): .*$/, '')
    .trim()
}

/** How a function is called, and what the object can do that it makes. */
function callOf({ checker, types }: Scribe, symbol: ts.Symbol, name: string): string[] {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
  if (!signature) return []
  const result = signature.getReturnType()
  const isMade = signature.declaration?.type === undefined && result.getCallSignatures().length === 0
  if (!isMade) return [code(types.signature(name, signature))]
  const members = membersOf({ checker, types }, result.getProperties())
  return [code(types.signature(name, signature, false)), 'Answers an object with', ...members]
}

/** Members, a union as it is written, or what follows from a schema. */
function typeOf({ checker, types }: Scribe, symbol: ts.Symbol): string[] {
  const scribe = { checker, types }
  const node = symbol.declarations?.find(ts.isTypeAliasDeclaration)?.type
  const declared = checker.getDeclaredTypeOfSymbol(symbol)
  if (node && ts.isUnionTypeNode(node)) return [code(`type ${symbol.name} = ${types.written(node, true)}`)]
  const parts = node && ts.isIntersectionTypeNode(node) ? [...node.types] : []
  const wholes = parts.filter((part) => ts.isTypeReferenceNode(part) && part.typeArguments === undefined)
  if (wholes.length > 0) {
    const own = parts.filter((part) => !wholes.includes(part))
    const members = own.flatMap((part) => checker.getTypeFromTypeNode(part).getProperties())
    const names = wholes.map((whole) => `\`${types.written(whole)}\``)
    return [`All of ${names.join(' and ')}, and`, ...membersOf(scribe, members)]
  }
  const members = declared.isUnion() ? [] : membersOf(scribe, checker.getPropertiesOfType(declared))
  const isReadable = members.length > 0 && members.every((list) => !LONG_LINE.test(list))
  return isReadable ? members : [code(`type ${symbol.name} = ${types.spelledOut(declared)}`)]
}

function membersOf({ checker, types }: Scribe, members: readonly ts.Symbol[]): string[] {
  const lines = members.filter(isOurs).map((member) => {
    const words = wordsOf(checker, member).join(' ')
    const text = types.member(member)
    const marks = text.includes('`') ? ['`` ', ' ``'] : ['`', '`']
    return `- ${marks.join(text)}${words === '' ? '' : `: ${words}`}`
  })
  return lines.length > 0 ? [lines.join('\n')] : []
}

function code(text: string): string {
  return `\`\`\`ts\n${text}\n\`\`\``
}

/** Not what every error, text or list has. */
function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => !declaration.getSourceFile().fileName.includes('node_modules'))
}
