/**
 * Writes the declarations of an entry for CommonJS programs, which TypeScript does not let use those of an ES module
 * directly.
 *
 * They refer to the ES module's declarations and repeat nothing, so that a type is the same in both kinds of module.
 *
 * @param names Exports of the entry that are values; only classes begin with a capital letter, and are types as well.
 */
export function writeCommonJsTypes(entry: string, names: readonly string[]): string {
  const module = `'./client/${entry}.js'`
  const esModule = "with: { 'resolution-mode': 'import' }"
  const imported = `import(${module}, { ${esModule} })`
  const declarations = names.flatMap((name) => [
    `export declare const ${name}: (typeof ${imported})['${name}']`,
    ...(/^[A-Z]/.test(name) ? [`export type ${name} = ${imported}.${name}`] : []),
  ])
  const types = `export type * from ${module} with { 'resolution-mode': 'import' }`
  return `${[types, ...declarations].join('\n')}\n`
}
