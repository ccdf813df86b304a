/** Lists every spelling of an IPv4 address in a URL that some parser accepts. */
function spellAddress(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number, digits = 2) => value.toString(16).padStart(digits, '0')
  const octal = (value: number) => `0${value.toString(8)}`
  const groups = `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`
  const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0X${hex(whole, 8).toUpperCase()}`,
    octal(whole),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map((part) => `000${part.toString(8)}`).join('.'),
    `${octal(a)}.${b}.0x${hex(c)}.${d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${(b * 256 + c) * 256 + d}`,
    wide(address),
    address.replaceAll('.', '\u3002'),
    address.replaceAll('.', '%2e'),
    [...address].map((character) => `%${hex(character.charCodeAt(0))}`).join(''),
    `user:password@${address}`,
    `acme.io@${address}`,
    `[::ffff:${address}]`,
    `[::FFFF:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}::1]`,
  ]
}

const ADDRESSES = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '172.16.0.1',
  '100.64.0.1',
  '0.0.0.0',
]

const OTHERS = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[0000::0001]',
    '[::0:1]',
  ],
  ...['[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[fec0::1]', '[100::1]', '[::7f00:1]'],
  ...['①②⑦.⓪.⓪.①', '127.1', '127.0.1', '0', '0x0', '00', '0177.1', '0x7f.1', '255.255.255.255', '224.0.0.1'],
]

/** More than 200 spellings, as in a URL, of hosts that must never be contacted. */
export const PRIVATE_HOSTS: readonly string[] = [...new Set([...ADDRESSES.flatMap(spellAddress), ...OTHERS])]

/** Those that resolve to this machine, where a canary can tell whether they were contacted. */
export const LOOPBACK_HOSTS: readonly string[] = [
  ...new Set([
    ...['127.0.0.1', '0.0.0.0'].flatMap(spellAddress),
    ...OTHERS.slice(0, 8),
    ...OTHERS.slice(15, 22),
  ]),
]
