import { createSocket } from 'node:dgram'

/** Starts a name server on 127.0.0.1 with the given TXT records, by lower-case name. */
export async function startTxtNameServer(records: ReadonlyMap<string, readonly string[]>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => socket.send(encodeResponse(query, records), peer.port, peer.address))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

const HEADER_BYTES = 12
const TXT = 16
const NAME_ERROR = 3

/** Source: RFC 1035 §4.1. */
function encodeResponse(query: Buffer, records: ReadonlyMap<string, readonly string[]>): Buffer {
  const { name, end } = readName(query, HEADER_BYTES)
  const question = query.subarray(HEADER_BYTES, end + 4)
  const found = query.readUInt16BE(end) === TXT ? (records.get(name.toLowerCase()) ?? []) : []
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 | (found.length === 0 ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(found.length, 6)
  return Buffer.concat([header, question, ...found.map(encodeTxtRecord)])
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = []
  let at = start
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Encodes a TXT record in two strings, as long ones are. */
function encodeTxtRecord(text: string): Buffer {
  const half = Math.floor(text.length / 2)
  const parts = [text.slice(0, half), text.slice(half)].map((part) => Buffer.from(part, 'latin1'))
  const data = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
