import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Application,
  type CommentDisplayPart,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type TypeDocOptions,
} from 'typedoc'
import { load as markdown, type PluginOptions } from 'typedoc-plugin-markdown'
import ts from 'typescript'
import { CLIENT_ENTRIES } from '../client/clientEntries.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Begins the reference to a source, which ends a doc comment. */
const SOURCE = /\s*\b(?:Source|Spec): /

const OPTIONS: Partial<TypeDocOptions & PluginOptions> = {
  plugin: [markdown],
  logLevel: 'Warn',
  // The repository's own type check reports compile errors.
  skipErrorChecking: true,
  validation: { notExported: true, notDocumented: true },
  requiredToBeDocumented: ['Class', 'TypeAlias'],
  excludeExternals: true,
  // Neither links to a commit nor line numbers: the pages change only with the code they describe.
  disableSources: true,
  readme: 'none',
  router: 'module',
  groupOrder: ['Functions', 'Classes', '*'],
  hideBreadcrumbs: true,
  hideGroupHeadings: true,
  hidePageHeader: true,
  pageTitleTemplates: {
    index: 'Client library',
    module: ({ name }) => `@svc/client${name === 'index' ? '' : `/${name}`}`,
  },
  expandObjects: true,
  expandParameters: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  classPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: {
    hideDefaults: true,
    hideModifiers: true,
    hideOverrides: true,
    leftAlignHeaders: true,
  },
}

/**
 * Renders the reference of the client library: one page for each module, by file name.
 *
 * @throws Error if an export has no doc comment or refers to a type that is not exported.
 */
export async function renderClientReference(): Promise<ReadonlyMap<string, string>> {
  const files = CLIENT_ENTRIES.map((entry) => join(ROOT, 'client', `${entry}.ts`))
  const out = mkdtempSync(join(tmpdir(), 'client-reference-'))
  try {
    const outputs = [{ name: 'markdown', path: out }]
    const app = await Application.bootstrapWithPlugins({ ...OPTIONS, entryPoints: files, outputs }, [])
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, ROOT)
    app.options.setCompilerOptions(files, options, undefined)
    const project = await app.convert()
    if (project === undefined) throw new Error('the client library cannot be read')
    const bare = project.getReflectionsByKind(ReflectionKind.CallSignature).filter(isUndocumentedFunction)
    if (bare.length > 0) throw new Error(`without a doc comment: ${bare.map(({ name }) => name).join(', ')}`)
    app.validate(project)
    dropSources(project)
    await app.generateOutputs(project)
    if (app.logger.hasErrors() || app.logger.hasWarnings())
      throw new Error('the client reference is incomplete')
    return new Map(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]))
  } finally {
    rmSync(out, { recursive: true })
  }
}

/** Methods are described by their type's comment; functions need their own. */
function isUndocumentedFunction(signature: Reflection): boolean {
  return signature.parent?.kind === ReflectionKind.Function && !signature.hasComment()
}

/** Drops references to sources, which are for readers of the code. */
function dropSources(project: ProjectReflection): void {
  for (const { comment } of Object.values(project.reflections)) {
    if (comment === undefined) continue
    comment.summary = omitSource(comment.summary)
    for (const tag of comment.blockTags) tag.content = omitSource(tag.content)
  }
}

function omitSource(parts: readonly CommentDisplayPart[]): CommentDisplayPart[] {
  const at = parts.findIndex(({ text }) => SOURCE.test(text))
  return parts
    .slice(0, at < 0 ? parts.length : at + 1)
    .map((part) => ({ ...part, text: part.text.split(SOURCE, 1)[0] ?? '' }))
}
