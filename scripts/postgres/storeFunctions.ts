import { readFileSync } from 'node:fs'

/** What one test file calls of the store; functions are named by file and name, such as `agents/agentStore.ts: bySvcId`. */
export type FileCoverage = {
  /** From the root of the project. */
  file: string
  milliseconds: number
  /** The functions of the modules that were loaded. */
  known: string[]
  ran: string[]
}

/** Reads what the processes of a run noted, one line per test file. */
export function readCoverage(path: string): FileCoverage[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FileCoverage)
}

/** Finds the functions of the store that none of these test files calls, sorted. */
export function findUncalled(coverage: readonly FileCoverage[]): string[] {
  const ran = new Set(coverage.flatMap((one) => one.ran))
  const known = new Set(coverage.flatMap((one) => one.known))
  return [...known].filter((name) => !ran.has(name)).sort()
}

/** Finds the files of the store of which these test files call nothing, sorted. */
export function findUnused(coverage: readonly FileCoverage[]): string[] {
  const filesOf = (names: readonly string[]) => names.map((name) => name.slice(0, name.indexOf(':')))
  const used = new Set(coverage.flatMap(({ ran }) => filesOf(ran)))
  const known = new Set(coverage.flatMap((one) => filesOf(one.known)))
  return [...known].filter((file) => !used.has(file)).sort()
}

/**
 * Chooses test files that together call every function that all of them call: those that `isDue` names, then always the one
 * that calls the most new functions per second.
 *
 * @returns Sorted paths.
 */
export function chooseFiles(coverage: readonly FileCoverage[], isDue: (file: string) => boolean): string[] {
  const chosen = coverage.filter(({ file }) => isDue(file))
  const called = new Set(chosen.flatMap(({ ran }) => ran))
  const countNew = ({ ran }: FileCoverage) => ran.filter((name) => !called.has(name)).length
  const rate = (one: FileCoverage) => countNew(one) / (one.milliseconds + 1)
  while (true) {
    const [best] = coverage.filter((one) => countNew(one) > 0).sort((a, b) => rate(b) - rate(a))
    if (best === undefined) return chosen.map(({ file }) => file).sort()
    chosen.push(best)
    for (const name of best.ran) called.add(name)
  }
}
