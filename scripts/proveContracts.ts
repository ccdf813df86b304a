/**
 * `npm run prove:contracts`: has the compiler's own prover (SMTChecker, bounded model checking) look for a sum that
 * overflows, a difference below zero, a division by zero, a place outside of an array and an assertion that fails, in the
 * contracts it can digest. Ends with 1 when one is not proved safe. It needs z3 (Debian's package `z3`).
 *
 * Source: Solidity documentation, "SMTChecker and Formal Verification"; faults.md row 29.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOLVER = 'z3'
/** For one question; what takes longer counts as not proved. */
const QUESTION_MS = 10_000
/**
 * What the prover can judge. It comes to no end within ten minutes over the registries that stand on OpenZeppelin's ERC-721,
 * and the other libraries rely on bounds that their callers keep: fuzzing and invariants hold those
 * (`FUZZ=long npm run test:solidity`).
 */
const PROVED = ['AuditLog', 'ValidationRegistry', 'lib/MerkleTree', 'lib/AddressList']
const TARGETS = ['assert', 'underflow', 'overflow', 'divByZero', 'popEmptyArray', 'outOfBounds']

type Finding = { severity: 'error' | 'warning' | 'info'; message: string; formattedMessage: string }
type Reading = { contents: string } | { error: string }
type Compiler = {
  compile(
    input: string,
    callbacks: { import(path: string): Reading; smtSolver(question: string): Reading },
  ): string
}

if (spawnSync(SOLVER, ['--version']).status !== 0) {
  console.error('z3 is not installed (apt-get install z3)')
  process.exit(2)
}
const compiler = createRequire(import.meta.url)('solc') as Compiler
let unproved = 0
for (const name of PROVED) {
  const findings = prove(name)
  const safe = findings.filter(({ severity, message }) => severity === 'info' && / is safe!/.test(message))
  const open = findings.filter(({ severity, message }) => severity !== 'info' && !/unsupported/.test(message))
  for (const { formattedMessage } of open) console.error(formattedMessage)
  console.log(`${name}: ${safe.length} proved safe, ${open.length} not`)
  unproved += open.length
}
process.exitCode = unproved === 0 ? 0 : 1

function prove(name: string): Finding[] {
  const file = `contracts/${name}.sol`
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(join(ROOT, file), 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      modelChecker: {
        engine: 'bmc',
        solvers: ['smtlib2'],
        contracts: { [file]: [name.replace('lib/', '')] },
        targets: TARGETS,
        showUnproved: true,
        showProvedSafe: true,
        timeout: QUESTION_MS,
      },
    },
  }
  const output = compiler.compile(JSON.stringify(input), { import: read, smtSolver: solve })
  return (JSON.parse(output) as { errors?: Finding[] }).errors ?? []
}

function read(path: string): Reading {
  for (const base of ['', 'node_modules']) {
    try {
      return { contents: readFileSync(join(ROOT, base, path), 'utf8') }
    } catch {
      // The next place may have it.
    }
  }
  return { error: `there is no ${path}` }
}

function solve(question: string): Reading {
  const { stdout } = spawnSync(SOLVER, ['-in', '-smt2', `-t:${QUESTION_MS}`], {
    input: question,
    encoding: 'utf8',
    timeout: 2 * QUESTION_MS,
  })
  return { contents: stdout || 'unknown' }
}
