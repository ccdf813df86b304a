import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, type IConfigFile } from '@microsoft/api-extractor'
import { CLIENT_ENTRIES } from '../client/clientEntries.ts'
import { emitTypes } from '../client/emitTypes.ts'

const CLIENT = join(import.meta.dirname, '../../client')

const COMPILER_OPTIONS = {
  ...{ target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, skipLibCheck: true, types: ['node'] },
}
// Ours have neither release tags nor TSDoc's form; the compiler's complaints are about what users would get.
const MESSAGES = {
  compilerMessageReporting: { default: { logLevel: 'error' } },
  extractorMessageReporting: { default: { logLevel: 'none' } },
  tsdocMessageReporting: { default: { logLevel: 'none' } },
} as IConfigFile['messages']

/**
 * Reports the public names of each module of the client library, with their types, as its users get them.
 *
 * @returns The reports by module.
 * @throws Error if the declarations of the package cannot be read.
 */
export function buildReports(): Map<string, string> {
  mkdirSync(join(CLIENT, 'dist'), { recursive: true })
  // Inside the project, so that the compiler finds the types of the dependencies.
  const folder = mkdtempSync(join(CLIENT, 'dist/reports-'))
  try {
    emitTypes(folder)
    const configs = CLIENT_ENTRIES.map((entry) => [entry, prepare(folder, entry)] as const)
    const [[, first] = []] = configs
    if (first === undefined) return new Map()
    const additionalEntryPoints = configs.map(([, config]) => config.mainEntryPointFilePath)
    const compilerState = CompilerState.create(first, { additionalEntryPoints })
    return new Map(configs.map(([entry, config]) => [entry, report(folder, entry, config, compilerState)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function prepare(folder: string, entry: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, `client/${entry}.d.ts`),
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, include: ['client/*.d.ts'] } },
      apiReport: { enabled: true, reportFileName: entry, reportFolder: folder, reportTempFolder: folder },
      newlineKind: 'lf',
      messages: MESSAGES,
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(CLIENT, 'package.json'),
  })
}

function report(
  folder: string,
  entry: string,
  config: ExtractorConfig,
  compilerState: CompilerState,
): string {
  const complaints: string[] = []
  const { errorCount } = Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === 'error') complaints.push(message.text)
      message.handled = true
    },
  })
  if (errorCount > 0) throw new Error(`@svc/client/${entry}: ${complaints.join('; ')}`)
  return readFileSync(join(folder, `${entry}.api.md`), 'utf8')
}
