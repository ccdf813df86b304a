import { join } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../..')
const ENTRIES = ['index', 'express', 'fastify', 'fetch', 'webhooks', 'policy']

/** The reference of the client library: every public name with what its doc comment says, by the module it comes from. */
export function clientReference(): string {
  const files = ENTRIES.map((entry) => join(ROOT, 'client', `${entry}.ts`))
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, ROOT)
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const sections = files.map((file, index) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    const names = checker.getExportsOfModule(module).sort((one, other) => one.name.localeCompare(other.name))
    const entry = ENTRIES[index] === 'index' ? '@svc/client' : `@svc/client/${ENTRIES[index]}`
    return `## \`${entry}\`\n\n${names.map((name) => entryOf(checker, name)).join('\n\n')}`
  })
  return `# Client library: every public name

Made from the doc comments in \`client/\` by \`npm run docs\`. How they are used: [client/README.md](../client/README.md).

${sections.join('\n\n')}\n`
}

function entryOf(checker: ts.TypeChecker, exported: ts.Symbol): string {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const said = wordsOf(checker, symbol)
  if (said.length === 0) throw new Error(`${exported.name} has no doc comment`)
  const throws = symbol.getJsDocTags(checker).filter(({ name }) => name === 'throws')
  const thrown = throws.map(({ text }) => `Throws ${withoutSource(ts.displayPartsToString(text))}`)
  const isCalled = (symbol.flags & ts.SymbolFlags.Function) !== 0
  const details = isCalled ? signatureOf(checker, symbol, exported.name) : membersOf(checker, symbol)
  const heading = `### \`${exported.name}${isCalled ? '()' : ''}\``
  return [heading, ...said, ...thrown, ...details].join('\n\n')
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

function signatureOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string): string[] {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures()
  if (!signature) return []
  return [`\`\`\`ts\n${name}${checker.signatureToString(signature)}\n\`\`\``]
}

function membersOf(checker: ts.TypeChecker, symbol: ts.Symbol): string[] {
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isOurs)
  const lines = members.map((member) => {
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
    const words = wordsOf(checker, member).join(' ')
    return `- \`${member.name}${isOptional ? '?' : ''}\`${words === '' ? '' : `: ${words}`}`
  })
  return lines.length > 0 ? [lines.join('\n')] : []
}

/** Not what every error, text or list has. */
function isOurs({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => !declaration.getSourceFile().fileName.includes('node_modules'))
}
