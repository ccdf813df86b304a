import { globSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  types: ['node'],
}

/** The stricter settings that a project may have, and the resolution of Node 16. */
export const STRICTER: ts.CompilerOptions = {
  module: ts.ModuleKind.Node16,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
}

/**
 * Returns the type errors of a strict project: those of its programs and of every declaration of the library they use.
 *
 * Declarations of other packages are read but not checked, which would take most of the time.
 */
export function findTypeErrors(project: string, more: ts.CompilerOptions = {}): string[] {
  const options = { ...OPTIONS, ...more }
  const host = ts.createCompilerHost(options)
  host.getCurrentDirectory = () => project
  const files = globSync('**/*.{ts,cts}', { cwd: project, exclude: ['node_modules'] })
  const rootNames = files.map((file) => join(project, file))
  const program = ts.createProgram({ rootNames, options, host })
  const judged = program
    .getSourceFiles()
    .filter(({ fileName }) => rootNames.includes(fileName) || fileName.includes('/@svc/client/'))
  if (judged.length <= rootNames.length) throw new Error('nothing of the library is reached')
  const found = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...judged.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  return found.map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
