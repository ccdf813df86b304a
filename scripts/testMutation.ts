import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyProject } from './mutation/copyProject.ts'
import { type MutationPlace, mutateGroup } from './mutation/mutateGroup.ts'
import { MUTATION_GROUPS, type MutationGroup } from './mutation/mutationGroups.ts'
import { mutationResults } from './mutation/mutationResults.ts'

const ROOT = join(import.meta.dirname, '..')

const USAGE = `npm run test:mutation [-- [--again] [groups] [files]]

Changes code one place at a time and counts how many of the changes the tests of its group notice. It works on a copy of
the project in a temporary folder, and installs Stryker there. Keeps the counts in docs/mutation.json and makes
docs/mutation.md of it; with files, of one group, it shows what those let pass and keeps nothing. With --again it takes over
from the run before what neither changed code nor changed tests can have altered.

groups: ${MUTATION_GROUPS.map(({ name }) => name).join(', ')}`

/** Runs groups one after another; ends with 1 when one of them cannot be measured. */
function testMutation(words: readonly string[]): number {
  const named = MUTATION_GROUPS.filter(({ name }) => words.includes(name))
  const isAgain = words.includes('--again')
  const files = words.filter((word) => word !== '--again' && !named.some(({ name }) => name === word))
  const isUnknown = files.some((file) => globSync(file, { cwd: ROOT }).length === 0)
  if (isUnknown || (files.length > 0 && named.length !== 1)) {
    console.error(USAGE)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-mutation-'))
  try {
    const place = prepare(folder)
    for (const group of named.length > 0 ? named : MUTATION_GROUPS) measure(place, group, { files, isAgain })
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing of what is installed runs a program of its own at that. */
function prepare(folder: string): MutationPlace {
  const [project, tools] = [join(folder, 'project'), join(folder, 'tools')]
  mkdirSync(project)
  cpSync(join(import.meta.dirname, 'mutation/tools'), tools, { recursive: true })
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: tools, stdio: 'inherit' })
  const reports = join(ROOT, 'node_modules/.cache/mutation')
  return { project, tools, steadyCases: copyProject(project, tools), reports }
}

function measure(
  place: MutationPlace,
  group: MutationGroup,
  { files, isAgain }: { files: readonly string[]; isAgain: boolean },
): void {
  const part = { ...group, name: `part of ${group.name}`, files }
  const result = mutateGroup(place, files.length > 0 ? part : group, isAgain)
  console.log(result.unnoticed.join('\n'))
  const { mutants, killed, timedOut, survived, uncovered, ignored, seconds } = result
  console.log(
    `${group.name}: ${killed + timedOut} of ${mutants} noticed (${timedOut} by a timeout), ${survived} survived, ` +
      `${uncovered} not reached, ${ignored} left out, ${seconds} s`,
  )
  if (files.length > 0) return
  mutationResults.write({ ...mutationResults.read(), [group.name]: result })
  execFileSync(process.execPath, [join(ROOT, 'scripts/generateDocs.ts')], { stdio: 'inherit' })
}

process.exitCode = testMutation(process.argv.slice(2))
