import ts from 'typescript'

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType

/**
 * Writes types as their authors did, on one line, and as the compiler infers them where nobody wrote any.
 *
 * @param meet Is told of every type of the project that a text names.
 */
export function createTypePrinter(checker: ts.TypeChecker, meet: (symbol: ts.Symbol) => void) {
  const printer = ts.createPrinter({ removeComments: true })

  /** A written type; in several lines only where it is to be. */
  function written(node: ts.Node, isLong = false): string {
    notice(node)
    const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    return isLong ? inLines(text) : inOneLine(text)
  }

  function notice(node: ts.Node): void {
    if (ts.isTypeReferenceNode(node)) {
      const found = checker.getSymbolAtLocation(node.typeName)
      if (found) meet(found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found)
    }
    // What is picked from is not what is meant.
    const isPicking = ts.isTypeReferenceNode(node) && /^(Pick|Omit)$/.test(node.typeName.getText())
    if (!isPicking) ts.forEachChild(node, notice)
  }

  function inferred(type: ts.Type): string {
    const text = inOneLine(checker.typeToString(type, undefined, FLAGS))
    // Of a member that may be left out it says so twice.
    return text.includes('?: ') ? text.replaceAll(' | undefined', '') : text
  }

  function parameter(one: ts.Symbol): string {
    const declaration = one.valueDeclaration
    if (!declaration || !ts.isParameter(declaration)) return one.name
    const { questionToken, initializer, dotDotDotToken, type } = declaration
    const name = ts.isIdentifier(declaration.name) ? one.name : 'options'
    const isOptional = questionToken !== undefined || initializer !== undefined
    const text = type ? written(type) : inferred(checker.getTypeOfSymbol(one))
    return `${dotDotDotToken ? '...' : ''}${name}${isOptional ? '?' : ''}: ${text}`
  }

  /** Name, parameters and, where it is wanted, what is answered. */
  function signature(name: string, called: ts.Signature, hasResult = true): string {
    const { declaration } = called
    const generics = declaration?.typeParameters?.map((one) => written(one)).join(', ')
    const head = `${name}${generics ? `<${generics}>` : ''}(${called.parameters.map(parameter).join(', ')})`
    if (!hasResult) return head
    const isWritten = declaration?.type !== undefined
    return `${head}: ${isWritten ? written(declaration.type) : inferred(called.getReturnType())}`
  }

  /** A member with its type; a method with its signature. */
  function member(symbol: ts.Symbol): string {
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
    const name = `${symbol.name}${isOptional ? '?' : ''}`
    const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0]
    const isProperty =
      declaration && (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration))
    if (isProperty && declaration.type) return `${name}: ${written(declaration.type)}`
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol))
    const [called] = type.getCallSignatures()
    return called ? signature(name, called) : `${name}: ${inferred(type)}`
  }

  /** What the compiler makes of a type that follows from a value, with a line for each member. */
  function spelledOut(type: ts.Type): string {
    const members = type.isUnion() ? [] : type.getProperties()
    if (members.length === 0) {
      const text = inLines(expanded(type))
      return text.length > 100 && !text.includes('\n') ? text.replaceAll(' | ', '\n  | ') : text
    }
    const lines = members.map((one) => {
      const isOptional = (one.flags & ts.SymbolFlags.Optional) !== 0
      const text = expanded(checker.getNonNullableType(checker.getTypeOfSymbol(one)))
      return `${one.name}${isOptional ? '?' : ''}: ${inLines(text)}`.replaceAll('\n', '\n  ')
    })
    return `{\n  ${lines.join('\n  ')}\n}`
  }

  function expanded(type: ts.Type): string {
    const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias
    const node = checker.typeToTypeNode(type, undefined, flags | ts.NodeBuilderFlags.MultilineObjectLiterals)
    const file = ts.createSourceFile('type.ts', '', ts.ScriptTarget.Latest)
    const text = node ? printer.printNode(ts.EmitHint.Unspecified, node, file) : inferred(type)
    return text.replaceAll(' | undefined', '')
  }

  return { written, signature, member, spelledOut }
}

function inOneLine(text: string): string {
  return quoted(text).replaceAll(/\s+/g, ' ').replaceAll('; }', ' }')
}

function inLines(text: string): string {
  const narrow = (indent: string) => ' '.repeat(indent.length / 2)
  return quoted(text).replaceAll(/;$/gm, '').replaceAll(/^ +/gm, narrow)
}

/** As the project writes texts. */
function quoted(text: string): string {
  return text.replaceAll(/"([^"\n]*)"/g, `'$1'`)
}
