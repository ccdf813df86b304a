import type { ServerResponse } from 'node:http'

/** Writes an error as the service does, and returns that it has responded. */
export function writeError(res: ServerResponse, status: number, code: string): true {
  res.writeHead(status).end(JSON.stringify({ success: false, code, message: code }))
  return true
}
