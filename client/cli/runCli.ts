import { parseArgs } from 'node:util'
import type { Recommendation } from '@svc/core/access/decision.ts'
import { compilePolicyFile } from '../policy/compilePolicyFile.ts'
import { EvaluatePolicyError } from '../policy/evaluatePolicyError.ts'
import { explainEvaluation } from './explainEvaluation.ts'
import { explainPolicy } from './explainPolicy.ts'
import { lintPolicy } from './lintPolicy.ts'

/** What a command reaches of the machine. */
export type CliIo = {
  /** Text of a file, `-` for standard input; throws when it cannot be read. */
  read(file: string): string
  out(line: string): void
  err(line: string): void
  /** Epoch milliseconds. */
  now(): number
}

type Flags = { now?: string | undefined; json?: boolean | undefined; strict?: boolean | undefined }

/** What went wrong with the call itself, in one sentence. */
class UsageError extends Error {}

/** 2 is for what could not be decided at all, so that a script never takes it for an answer. */
const EXIT: Readonly<Record<Recommendation, number>> = { grant: 0, audit: 0, deny: 1, step_up_required: 3 }
const UNUSABLE = 2

const USAGE = `Decides with a policy file, without an account and without a network.

  evaluate <policy> <request>   decides on a request with the fields of verify-access
  lint <policy> …               tells mistakes with line and column, and what is legal but seldom meant
  explain <policy> [<request>]  says in words what the policy allows, and why it decides as it does

Policies are YAML or JSON, requests are JSON; \`-\` reads standard input.

  --now <time>  decides as of an ISO 8601 time with its zone, such as 2026-11-21T09:00:00Z
  --json        evaluate: prints {recommendation, access, failures}
  --strict      lint: a warning fails as well

Exit: 0 granted (or audit), or nothing found; 1 denied, or found; 3 the owner is to be asked; 2 not usable.`

/**
 * Runs one command of the local evaluator and answers its exit code; it never throws.
 *
 * Source: Spec: What the service does 9.
 */
export function runCli(args: readonly string[], io: CliIo): number {
  try {
    const { values, positionals } = parsed(args)
    const [command, ...files] = positionals
    if (values.help || command === undefined) {
      io.out(USAGE)
      return values.help ? 0 : UNUSABLE
    }
    const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
    if (run === undefined) throw new UsageError(`There is no command "${command}".`)
    return run(files, values, io)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof EvaluatePolicyError)) throw error
    io.err(error.message)
    if (error instanceof UsageError) io.err('Try --help.')
    return UNUSABLE
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        now: { type: 'string' },
        json: { type: 'boolean' },
        strict: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const COMMANDS: Readonly<Record<string, (files: string[], flags: Flags, io: CliIo) => number>> = {
  evaluate([policy, request, ...rest], flags, io) {
    if (policy === undefined || request === undefined || rest.length > 0) {
      throw new UsageError('evaluate takes a policy and a request.')
    }
    const { evaluate } = compilePolicyFile(textOf(io, policy))
    const evaluation = evaluate(requestOf(io, request), momentOf(flags, io))
    if (flags.json) io.out(JSON.stringify(evaluation, null, 2))
    else for (const line of explainEvaluation(evaluation)) io.out(line)
    return EXIT[evaluation.recommendation]
  },

  lint(files, flags, io) {
    if (files.length === 0) throw new UsageError('lint takes policies.')
    const codes = files.map((file) => {
      const { code, lines } = linted(io, file, flags.strict === true)
      for (const line of lines) io.out(line)
      return code
    })
    return Math.max(...codes)
  },

  explain([policy, request, ...rest], flags, io) {
    if (policy === undefined || rest.length > 0)
      throw new UsageError('explain takes a policy, and a request.')
    const { policyFile, evaluate } = compilePolicyFile(textOf(io, policy))
    for (const line of explainPolicy(policyFile)) io.out(line)
    if (request === undefined) return 0
    const evaluation = evaluate(requestOf(io, request), momentOf(flags, io))
    io.out('')
    for (const line of explainEvaluation(evaluation)) io.out(line)
    return EXIT[evaluation.recommendation]
  },
}

function linted(io: CliIo, file: string, isStrict: boolean): { code: number; lines: string[] } {
  try {
    const warnings = lintPolicy(compilePolicyFile(textOf(io, file)).policyFile)
    if (warnings.length === 0) return { code: 0, lines: [`${file}: nothing found`] }
    const lines = warnings.map(({ pointer, message }) => `${file}: warning: ${pointer}: ${message}`)
    return { code: isStrict ? 1 : 0, lines }
  } catch (error) {
    if (!(error instanceof EvaluatePolicyError)) throw error
    const lines = error.errors.map(({ line, column, pointer, message }) => {
      const place = line > 0 ? `${file}:${line}:${column}` : file
      return `${place}: error: ${pointer === '' ? '' : `${pointer}: `}${message}`
    })
    return { code: UNUSABLE, lines }
  }
}

function textOf(io: CliIo, file: string): string {
  try {
    return io.read(file)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function requestOf(io: CliIo, file: string): unknown {
  const text = textOf(io, file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** A time without a zone would be read in the machine's own, and decide differently elsewhere. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

function momentOf({ now }: Flags, io: CliIo): number {
  if (now === undefined) return io.now()
  const moment = ISO_TIME.test(now) ? Date.parse(now) : Number.NaN
  if (Number.isNaN(moment))
    throw new UsageError(`--now: expected a time such as 2026-11-21T09:00:00Z, got ${now}`)
  return moment
}
