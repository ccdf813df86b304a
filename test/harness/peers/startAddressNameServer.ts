import { createSocket } from 'node:dgram'
import { parseIpAddress } from '@svc/core/url/ipAddress.ts'

const HEADER_BYTES = 12
const TYPES = { 1: 'A', 12: 'PTR', 28: 'AAAA' } as const
const NAME_ERROR = 3

/**
 * Starts a name server on 127.0.0.1 with the given PTR, A and AAAA records, as `TYPE name` → values.
 *
 * `asked` lists the questions in order.
 */
export async function startAddressNameServer(records: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query)
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES]
    asked.push(`${type} ${name}`)
    const values = (records[`${type} ${name}`] ?? []).map((value) => encodeData(type, value))
    socket.send(encodeResponse(query, end + 4, values), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** Source: RFC 1035 §4.1. */
function encodeResponse(query: Buffer, questionEnd: number, values: readonly Buffer[]): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(0x8180 | (values.length === 0 ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(values.length, 6)
  header.writeUInt32BE(0, 8)
  const type = query.subarray(questionEnd - 4, questionEnd)
  const records = values.map((data) => {
    const ttlAndLength = Buffer.alloc(6)
    ttlAndLength.writeUInt16BE(data.length, 4)
    return Buffer.concat([Buffer.from([0xc0, HEADER_BYTES]), type, ttlAndLength, data])
  })
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records])
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function encodeData(type: string, value: string): Buffer {
  if (type !== 'PTR') return Buffer.from(parseIpAddress(value) ?? [])
  const labels = value.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
