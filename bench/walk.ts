import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { startBenchService } from './startBenchService.ts'
import { type Coverage, connectCoverage, type ScriptCoverage } from './walk/connectCoverage.ts'

const WARM_UP = 2_000
/** A function counts only if it runs in every request, which excludes timers and background workers. */
const REQUESTS = 20
/** Lets the service finish its work after the response. */
const SETTLE_MS = 20
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The functions of one file, in the order of its lines. */
type WalkedFile = { path: string; functions: string[] }

/**
 * `npm run walk` lists the project's own files and functions that run on the main thread while a warmed-up service handles
 * one verified verify-access request.
 */
async function walk(): Promise<WalkedFile[]> {
  mkdirSync('bench/results', { recursive: true })
  const folder = mkdtempSync('bench/results/run-')
  const inspectorPort = await findFreePort()
  const nodeArgs = [`--inspect=127.0.0.1:${inspectorPort}`, '--inspect-publish-uid=http']
  try {
    const { server, verified } = await startBenchService(folder, { nodeArgs })
    try {
      for (let nth = 0; nth < WARM_UP; nth++) await ask(server.url, verified)
      const coverage = await connectCoverage(inspectorPort)
      const walked = await intersectRequests(coverage, server.url, verified)
      coverage.close()
      return groupByFile(walked)
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns Each function as `url offset name`. */
async function intersectRequests(coverage: Coverage, url: string, request: LoadRequest): Promise<string[]> {
  let common: string[] | undefined
  // The first request recompiles what the profiler discards when it starts counting.
  await ask(url, request)
  for (let nth = 0; nth < REQUESTS; nth++) {
    await coverage.take()
    await ask(url, request)
    await sleep(SETTLE_MS)
    const called = new Set((await coverage.take()).flatMap(calledFunctions))
    common = common?.filter((name) => called.has(name)) ?? [...called]
  }
  return common ?? []
}

async function ask(url: string, { path, headers, body, expected }: LoadRequest): Promise<void> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const answer = await response.text()
  if (response.status !== 200 || !answer.includes(expected)) throw new Error(`${response.status} ${answer}`)
}

function calledFunctions({ url, functions }: ScriptCoverage): string[] {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return []
  return functions.flatMap(({ functionName, ranges: [whole] }) =>
    whole && whole.count > 0 ? [`${url} ${whole.startOffset} ${functionName}`] : [],
  )
}

function groupByFile(walked: readonly string[]): WalkedFile[] {
  const calls = walked.map((call) => {
    const [url = '', offset, name] = call.split(' ')
    return { file: fileURLToPath(url), offset: Number(offset), name }
  })
  const files = Map.groupBy(calls, ({ file }) => file)
  return [...files]
    .map(([file, functions]) => {
      const source = readFileSync(file, 'utf8')
      const lineOf = (offset: number) => source.slice(0, offset).split('\n').length
      functions.sort((a, b) => a.offset - b.offset)
      return {
        path: file.slice(ROOT.length),
        functions: functions.map(({ name, offset }) => name || `(anonymous, line ${lineOf(offset)})`),
      }
    })
    .sort((a, b) => a.path.localeCompare(b.path))
}

const files = await walk()
for (const { path, functions } of files) console.log(`${path}\n  ${functions.join(', ')}`)
const functionCount = files.reduce((sum, { functions }) => sum + functions.length, 0)
console.log(`\n${files.length} files, ${functionCount} functions`)
