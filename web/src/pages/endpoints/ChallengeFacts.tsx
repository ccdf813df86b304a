import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'

/** What to publish to prove control over a host: either the DNS record or the file. */
export function ChallengeFacts({ challenge: { dns, wellKnown } }: { challenge: DomainChallenge }) {
  return (
    <>
      <Facts
        facts={[
          ['DNS TXT record', <CopyText key="name" text={dns.name} name="DNS record name" />],
          ['Value', <CopyText key="value" text={dns.value} name="DNS record value" />],
          ['Or a file at', <CopyText key="url" text={wellKnown.url} name="file URL" />],
        ]}
      />
      <CodeBlock code={JSON.stringify(wellKnown.body, null, 2)} name="File content" />
    </>
  )
}
