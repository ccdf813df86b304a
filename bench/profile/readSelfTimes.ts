import { globSync, readFileSync } from 'node:fs'

/** The members read here of V8's `--cpu-prof` output. Source: Chrome DevTools Protocol, `Profiler.Profile`. */
type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  /** Microseconds of the machine's monotonic clock. */
  startTime: number
  samples: number[]
  /** Microseconds since the previous sample. */
  timeDeltas: number[]
}

/** Time in one function, excluding the functions it calls. */
export type SelfTime = { name: string; place: string; micros: number }

/**
 * Reads the profile of the thread that ran a script, among all profiles that a process and its children wrote to a folder.
 *
 * @param window Microseconds of the monotonic clock; samples outside it do not count.
 * @returns Self times, longest first, without idle time.
 * @throws Error if no profile names the script.
 */
export function readSelfTimes(
  folder: string,
  script: string,
  window: { from: number; to: number },
): SelfTime[] {
  const profiles = globSync(`${folder}/*.cpuprofile`).map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as CpuProfile,
  )
  const profile = profiles.find(({ nodes }) => nodes.some(({ callFrame }) => callFrame.url.endsWith(script)))
  if (profile === undefined) throw new Error(`none of ${profiles.length} profiles is of ${script}`)
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map<string, SelfTime>()
  let at = profile.startTime
  for (const [nth, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[nth] ?? 0
    at += delta
    const frame = frames.get(id)
    if (at < window.from || at > window.to || frame === undefined || frame.functionName === '(idle)') continue
    const name = frame.functionName || '(anonymous)'
    const place = placeOf(frame.url)
    const known = times.get(`${name} ${place}`) ?? { name, place, micros: 0 }
    times.set(`${name} ${place}`, { ...known, micros: known.micros + delta })
  }
  return [...times.values()].sort((a, b) => b.micros - a.micros)
}

/** Returns the name of a package, our own file, or a module of Node. */
function placeOf(url: string): string {
  const packaged = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (packaged !== undefined) return packaged
  const own = /\/((?:core|server)\/.+)$/.exec(url)?.[1]
  return own ?? url
}
