import { parsePolicyFile } from '@svc/core/policyFile/parsePolicyFile.ts'
import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import { EvaluatePolicyError, type PolicyFieldError } from './evaluatePolicyError.ts'

const TEXT_CHARS_MAX = 64 * 1024
const PROBLEMS_MAX = 20
const DEPTH_MAX = 100
const TOO_DEEP = 'is nested too deeply'
const SUBJECT = 'The policy file is invalid:'

/**
 * Parses the text of a policy file: YAML 1.2 (core schema) or JSON, at most 64 Ki characters.
 *
 * Aliases, anchors, tags, duplicate keys and further documents are rejected, so that everyone reads the same policy.
 *
 * @throws EvaluatePolicyError naming the line, column and field of every mistake.
 */
export function readPolicyText(text: string): PolicyFile {
  if (text.length > TEXT_CHARS_MAX) {
    throw invalid([
      buildFieldError(
        0,
        0,
        '',
        'too_big',
        `expected at most ${TEXT_CHARS_MAX} characters, got ${text.length}`,
      ),
    ])
  }
  if (isNestedTooDeeply(text)) throw invalid([buildFieldError(0, 0, '', 'malformed', TOO_DEEP)])
  const lines = new LineCounter()
  const document = parseText(text, lines)
  const problems = findSyntaxProblems(document, lines)
  if (problems.length > 0) throw invalid(problems.slice(0, PROBLEMS_MAX))
  const parsed = parsePolicyFile(document.toJS())
  if (parsed.ok) return parsed.policyFile
  const errors = parsed.errors.map((error) => {
    const { line, col } = lines.linePos(offsetOf(document, error.pointer))
    return buildFieldError(line, col, error.pointer, error.code, error.message)
  })
  throw invalid(errors.sort((one, other) => one.line - other.line || one.column - other.column))
}

/**
 * The parser takes seconds over thousands of levels, of which a policy needs six. Brackets inside strings are counted as
 * well, which does no harm.
 */
function isNestedTooDeeply(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > DEPTH_MAX) return true
  }
  return /(?:[-?:][ \t]+){100}/.test(text)
}

function parseText(text: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: true,
      lineCounter,
    })
  } catch (cause) {
    throw new EvaluatePolicyError(SUBJECT, [buildFieldError(0, 0, '', 'malformed', TOO_DEEP)], {
      cause,
    })
  }
}

function findSyntaxProblems(document: Document, lines: LineCounter): PolicyFieldError[] {
  const problems = [...document.errors, ...document.warnings].map((problem) => {
    const { line, col } = lines.linePos(problem.pos[0])
    const [message = ''] = problem.message.split('\n')
    return buildFieldError(line, col, '', 'malformed', message)
  })
  visit(document, (_key, node) => {
    const problem = problemOf(node)
    if (problem === undefined) return undefined
    const { line, col } = lines.linePos(isNode(node) ? startOf(node, 0) : 0)
    problems.push(buildFieldError(line, col, '', 'malformed', problem))
    return visit.BREAK
  })
  return problems
}

function problemOf(node: unknown): string | undefined {
  if (isPair(node) && !isScalar(node.key)) return 'a key must be plain text'
  if (!isNode(node)) return undefined
  const isShared = isAlias(node) || ('anchor' in node && node.anchor !== undefined)
  return isShared || node.tag !== undefined ? 'aliases, anchors and tags are not allowed' : undefined
}

/** Returns the offset of a pointer's field in the text, or that of the closest enclosing field. */
function offsetOf(document: Document, pointer: string): number {
  let node: unknown = document.contents
  let offset = 0
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      if (pair === undefined) return offset
      offset = startOf(pair.key, offset)
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(name)]
      offset = startOf(node, offset)
    }
  }
  return offset
}

function startOf(node: unknown, fallback: number): number {
  return isNode(node) ? (node.range?.[0] ?? fallback) : fallback
}

function buildFieldError(
  line: number,
  column: number,
  pointer: string,
  code: string,
  message: string,
): PolicyFieldError {
  return { pointer, code, message, line, column }
}

function invalid(errors: PolicyFieldError[]): EvaluatePolicyError {
  return new EvaluatePolicyError(SUBJECT, errors)
}
