/**
 * The 4 or 16 bytes of an IP address in its text form, or undefined when the text is none.
 *
 * IPv4 is four decimal numbers without leading zeros; IPv6 in any spelling, with dotted IPv4 at the end or a zone
 * (`%eth0`), which is ignored, and without brackets.
 *
 * Source: RFC 4291 §2.2; RFC 4007 §11.
 */
export function ipAddressBytes(text: string): number[] | undefined {
  return text.includes(':') ? bytesOfV6(text) : bytesOfV4(text)
}

function bytesOfV4(text: string): number[] | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return undefined
  const parts = match.slice(1)
  const isByte = (part: string) => Number(part) <= 255 && String(Number(part)) === part
  return parts.every(isByte) ? parts.map(Number) : undefined
}

function bytesOfV6(text: string): number[] | undefined {
  const address = text.replace(/%[0-9A-Za-z:.-]+$/, '')
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half, i) => bytesOfGroups(half, i === halves.length - 1))
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 16 ? head : undefined
  // `::` stands for at least one group of zeros.
  if (tail === undefined || head.length + tail.length > 14) return undefined
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail]
}

function bytesOfGroups(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [i, group] of groups.entries()) {
    const v4 = mayEndInV4 && i === groups.length - 1 && group.includes('.') ? bytesOfV4(group) : undefined
    if (v4 !== undefined) {
      bytes.push(...v4)
      continue
    }
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
    const value = Number.parseInt(group, 16)
    bytes.push(value >> 8, value & 0xff)
  }
  return bytes
}
