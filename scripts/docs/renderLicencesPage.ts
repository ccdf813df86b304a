import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')

/** The lock files of the service with its development tools, and of what only benchmarks and mutation tests install. */
const LOCK_FILE = 'package-lock.json'
const TOOL_LOCK_FILES = [
  'bench/package-lock.json',
  'frameworks/package-lock.json',
  'scripts/mutation/tools/package-lock.json',
]

/** Licences that a shipped dependency may have: they require nothing but attribution. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0']

/** Packages with an install script, and why they work without it: `allowScripts` in package.json denies all of them. */
const INSTALL_SCRIPTS: Record<string, string> = {
  'better-sqlite3': 'would run node-gyp, which compiles nothing because the binary is in the package',
  esbuild:
    'would replace the launcher with the binary of the platform, which the launcher also finds without it',
  'vue-demi': 'would choose between Vue 2 and 3; as packed, it uses Vue 3',
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().default(''),
      license: z.string().default('none'),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
})

type Locked = z.infer<typeof lockFile>['packages'][string] & { name: string }

/**
 * Renders the page of licences: every package that is shipped with the service, and those with an install script.
 *
 * @param lock Content of the lock file; the project's own by default.
 * @param toolLocks Contents of the lock files of tools, whose packages are not shipped.
 * @throws Error that names a package with a forbidden licence, without a hash, or with an unreviewed install script.
 */
export function renderLicencesPage(
  lock = readFileSync(join(ROOT, LOCK_FILE), 'utf8'),
  toolLocks = TOOL_LOCK_FILES.map((file) => readFileSync(join(ROOT, file), 'utf8')),
): string {
  const packages = packagesOf(lock)
  const all = [...packages, ...toolLocks.flatMap(packagesOf)]
  for (const locked of all) requireReviewed(locked)
  const shipped = packages.filter(({ dev }) => !dev)
  for (const locked of shipped) requireAllowed(locked)
  return `# Licences

Generated from \`package-lock.json\` by \`npm run docs\`, which fails for a licence that is not allowed, a package without a hash,
and an install script that has not been reviewed. Development tools are not shipped, so their hashes and install scripts are
checked, but not their licences.

## Packages with an install script

None of the scripts runs: \`allowScripts\` in \`package.json\` denies them.

| Package | Version | What the script would do |
|---|---|---|
${installRowsOf(all)}

## ${shipped.length} packages shipped with the service

| Licence | Packages |
|---|---|
${countsOf(shipped)}

| Package | Version | Licence |
|---|---|---|
${rowsOf(shipped)}
`
}

/** The packages of a lock file that come from a registry, without the project's own workspaces. */
function packagesOf(lock: string): Locked[] {
  return Object.entries(lockFile.parse(JSON.parse(lock)).packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, locked]) => ({ ...locked, name: path.split('node_modules/').at(-1) ?? path }))
}

function requireReviewed({ name, version, integrity, hasInstallScript }: Locked): void {
  if (integrity === undefined) throw new Error(`${name} ${version} is locked without a hash`)
  if (hasInstallScript && INSTALL_SCRIPTS[name] === undefined) {
    throw new Error(`${name} ${version} runs a program when installed, and is not in INSTALL_SCRIPTS`)
  }
}

function requireAllowed({ name, version, license }: Locked): void {
  if (!isAllowed(license))
    throw new Error(`${name} ${version} has the licence ${license}, which is not allowed`)
}

function installRowsOf(packages: readonly Locked[]): string {
  return packages
    .filter(({ hasInstallScript }) => hasInstallScript)
    .map(({ name, version }) => `| \`${name}\` | ${version} | ${INSTALL_SCRIPTS[name]} |`)
    .join('\n')
}

/** Of alternatives, one must be allowed; of combined licences, all. Source: SPDX licence expressions. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return alternatives.some((all) => all.split(' AND ').every((licence) => ALLOWED.includes(licence)))
}

function countsOf(shipped: readonly Locked[]): string {
  const counts = new Map<string, number>()
  for (const { license } of shipped) counts.set(license, (counts.get(license) ?? 0) + 1)
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([license, count]) => `| ${license} | ${count} |`)
    .join('\n')
}

function rowsOf(shipped: readonly Locked[]): string {
  const rows = shipped.map(({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |`)
  return [...new Set(rows)].sort((a, b) => (a < b ? -1 : 1)).join('\n')
}
