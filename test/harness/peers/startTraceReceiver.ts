import type { IncomingHttpHeaders } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { listen } from './listen.ts'

const attributes = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.looseObject({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes,
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
              status: z.object({ code: z.number().default(0) }),
            }),
          ),
        }),
      ),
    }),
  ),
})

export type ExportedSpan = z.infer<typeof exported>['resourceSpans'][0]['scopeSpans'][0]['spans'][0]

/** Starts a receiver of OpenTelemetry traces over HTTP that stores what it receives, and responds as its mood says. */
export async function startTraceReceiver() {
  const requests: { path: string; headers: IncomingHttpHeaders; body: unknown }[] = []
  const mood = { status: 200 }
  const server = await listen(async (req, res) => {
    requests.push({ path: req.url ?? '', headers: req.headers, body: await json(req) })
    res.writeHead(mood.status, { 'Content-Type': 'application/json' }).end('{}')
  })
  const resources = () => requests.flatMap(({ body }) => exported.parse(body).resourceSpans)
  return {
    ...server,
    requests,
    mood,
    spans: (): ExportedSpan[] =>
      resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resourceAttributes: () => readAttributes(resources()[0]?.resource ?? { attributes: [] }),
  }
}

/** The attributes of a span or resource, by name. */
export function readAttributes(from: { attributes: z.infer<typeof attributes> }): Record<string, unknown> {
  return Object.fromEntries(from.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
