/** What is changed in a downloaded file, and the command of docs/auditing.md that has to notice it. */
export const FORGERIES: readonly [
  name: string,
  file: string,
  command: string,
  forge: (text: string) => string,
][] = [
  [
    'another entry',
    'proof.json',
    'python3 root.py proof.json',
    (text) => text.replace('"entry":"e', '"entry":"f'),
  ],
  [
    'another leaf',
    'proof.json',
    'python3 root.py proof.json',
    (text) => text.replace(/("leafHash":"0x).{4}/, '$10000'),
  ],
  [
    'another index',
    'proof.json',
    'python3 root.py proof.json',
    (text) => text.replace(/"index":\d+/, '"index":0'),
  ],
  [
    'a missing hash',
    'proof.json',
    'python3 root.py proof.json',
    (text) => text.replace(/"inclusionProof":\["0x[0-9a-f]{64}",?/, '"inclusionProof":['),
  ],
  [
    'another root',
    'proof.json',
    'python3 root.py proof.json',
    (text) => text.replace(/("root":"0x).{4}/, '$10000'),
  ],
  [
    'a root that is not on chain',
    'proof.json',
    'python3 chain.py proof.json',
    (text) => text.replace(/("root":"0x).{4}/, '$10000'),
  ],
  [
    'another size',
    'proof.json',
    'python3 chain.py proof.json',
    (text) => text.replace(/"treeSize":/, '"treeSize":1'),
  ],
  [
    'another batch',
    'proof.json',
    'python3 chain.py proof.json',
    (text) => text.replace(/"batch":\d+/, '"batch":1'),
  ],
  [
    'another transaction',
    'proof.json',
    'python3 chain.py proof.json',
    (text) => text.replace(/("transactionHash":"0x).{4}/, '$10000'),
  ],
  [
    'another log',
    'proof.json',
    'python3 chain.py proof.json',
    (text) => text.replace(/("logId":"0x).{4}/, '$10000'),
  ],
  [
    'an omitted record',
    'export.jsonl',
    'python3 complete.py "$FIRST" "$LAST" received.txt',
    (text) => text.split('\n').toSpliced(2, 1).join('\n'),
  ],
  [
    'a truncated end',
    'export.jsonl',
    'python3 complete.py "$FIRST" "$LAST" received.txt',
    (text) => text.split('\n').toSpliced(-2, 1).join('\n'),
  ],
  [
    'a forged line',
    'export.jsonl',
    'python3 complete.py "$FIRST" "$LAST" received.txt',
    (text) => text.replace(/("inclusionProof":\["0x).{4}/, '$10000'),
  ],
  [
    'a log that does not extend the other',
    'consistency.json',
    'python3 growth.py "$OLD_BATCH" "$NEW_BATCH"',
    (text) => text.replace(/("consistencyProof":\["0x).{4}/, '$10000'),
  ],
  [
    'a consistency proof that is too long',
    'consistency.json',
    'python3 growth.py "$OLD_BATCH" "$NEW_BATCH"',
    (text) => text.replace('"consistencyProof":[', `"consistencyProof":["0x${'00'.repeat(32)}",`),
  ],
]
