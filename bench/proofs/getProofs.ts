import { Agent, get } from 'node:http'

/** Requests one path after another over one connection; returns the bodies and how many milliseconds each took. */
export async function getProofs(
  url: string,
  paths: readonly string[],
): Promise<{ latencies: Float64Array; bodies: string[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const latencies = new Float64Array(paths.length)
  const bodies: string[] = []
  for (const [i, path] of paths.entries()) {
    const begin = performance.now()
    bodies.push(await bodyOf(`${url}${path}`, agent))
    latencies[i] = performance.now() - begin
  }
  agent.destroy()
  return { latencies, bodies }
}

function bodyOf(address: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (chunk: string) => {
        body += chunk
      })
      res.on('end', () =>
        res.statusCode === 200 ? resolve(body) : reject(new Error(`${res.statusCode}: ${body}`)),
      )
      res.on('error', reject)
    }).on('error', reject)
  })
}
