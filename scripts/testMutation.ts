import { execFileSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject } from './mutation/copyProject.ts'
import { MUTATION_GROUPS, type MutationGroup } from './mutation/mutationGroups.ts'
import { type MutationResult, mutationResults } from './mutation/mutationResults.ts'
import { installStryker, runStryker, TOOLS } from './mutation/runStryker.ts'

const ROOT = join(import.meta.dirname, '..')

const USAGE = `npm run test:mutation [-- [--again] [groups] [files]]

Makes one change after another in the code, and counts how many of them the tests notice. Without named groups, it runs all
of them. It stores the counts in docs/mutation.json and generates docs/mutation.md from it.

  --again   reuses results of the previous run that no later change of code or tests can have altered
  files     changes only these files of one named group, and stores nothing

groups: ${MUTATION_GROUPS.map(({ name }) => name).join(', ')}`

/** @returns The exit code: 1 if a group cannot be measured. */
function testMutation(args: readonly string[]): number {
  const named = MUTATION_GROUPS.filter(({ name }) => args.includes(name))
  const isIncremental = args.includes('--again')
  const files = args.filter((arg) => arg !== '--again' && !named.some(({ name }) => name === arg))
  const isUnknown = files.some((file) => globSync(file, { cwd: ROOT }).length === 0)
  if (isUnknown || (files.length > 0 && named.length !== 1)) {
    console.error(USAGE)
    return 2
  }
  installStryker()
  const project = copyProject(TOOLS)
  try {
    for (const group of named.length > 0 ? named : MUTATION_GROUPS) {
      if (files.length > 0)
        runStryker(project, { ...group, name: `part of ${group.name}`, files }, isIncremental)
      else store(group, runStryker(project, group, isIncremental))
    }
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** Called after each group, so that an interrupted run has stored the groups before. */
function store({ name }: MutationGroup, result: MutationResult): void {
  mutationResults.write({ ...mutationResults.read(), [name]: result })
  execFileSync(process.execPath, [join(ROOT, 'scripts/generateDocs.ts')], { stdio: 'inherit' })
}

process.exitCode = testMutation(process.argv.slice(2))
