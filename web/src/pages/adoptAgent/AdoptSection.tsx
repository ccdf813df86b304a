import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { BoundaryTemplates } from '../../parts/BoundaryTemplates.tsx'
import { BoundaryView } from '../../parts/BoundaryView.tsx'
import { boundaryTemplates, type TemplateName } from '../../parts/boundaryTemplates.ts'
import { CodeBlock } from '../../parts/code/CodeBlock.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { type Boundary, findBoundaryProblems } from '../../parts/pdlss/boundaryDimensions.ts'
import { PdlssEditor } from '../../parts/pdlss/PdlssEditor.tsx'
import { Section } from '../../parts/Section.tsx'
import { navigate } from '../../router/navigate.ts'
import type { WalletProvider } from '../../wallet/askWallet.ts'
import { WalletButtons } from '../../wallet/WalletButtons.tsx'
import type { Adoption } from './adoption.ts'

/** What can be wrong with a signed statement; all of it is shown at the signature. */
const FIELD_LABELS = { signature: 'Signature', expiresAt: 'The time to sign', token: 'Token' }

/** Shows the agent that was read, takes its boundary, and adopts it once the owner of its token has signed. */
export function AdoptSection({ adoption: { asked, found } }: { adoption: Adoption }) {
  const { agent, message, expiresAt } = found
  const [template, setTemplate] = useState<TemplateName>('shopping')
  const [pdlss, setPdlss] = useState<Boundary>(boundaryTemplates.shopping.pdlss)
  const adopt = useApiMutation('POST /api/agents/adopt', {
    invalidates: ['GET /api/agents'],
    says: 'Adopted',
    onDone: ({ agent: adopted }) => navigate(`/agents/${adopted.svcId}`),
  })
  const faults = readFaults(adopt.error, FIELD_LABELS)
  const isValid = findBoundaryProblems(pdlss, 'agent').length === 0
  const adoptWith = (signature: string) => adopt.mutate({ body: { ...asked, expiresAt, signature, pdlss } })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    adoptWith(String(new FormData(event.currentTarget).get('signature')).trim())
  }
  return (
    <>
      <Section title="The agent" description="As its chain and its registration file describe it.">
        <Facts
          facts={[
            ['Name', agent.name],
            ['Description', agent.description],
            ['Owner of the token', agent.owner],
            ['Wallet of the agent', agent.agentWallet],
            ['State', agent.active ? null : 'Not active, according to its registration file'],
            ['Services', agent.services.map(({ name, endpoint }) => `${name}: ${endpoint}`).join(', ')],
            [
              'Ratings',
              agent.feedback !== null &&
                agent.feedback.count > 0 &&
                `${agent.feedback.count}, on average ${agent.feedback.mean} of 100`,
            ],
          ]}
        />
      </Section>
      <Section
        title="Its boundary"
        description="The most that the agent may do (PDLSS). It cannot be changed later. To be asked about everything, set that under approval rules afterwards."
      >
        <BoundaryTemplates
          value={template}
          onChange={(name) => {
            setTemplate(name)
            setPdlss(boundaryTemplates[name].pdlss)
          }}
        />
        <PdlssEditor
          side="agent"
          boundary={pdlss}
          onChange={setPdlss}
          words={<BoundaryView boundary={pdlss} side="agent" />}
        />
      </Section>
      <Section
        title="Signature of its owner"
        description="The text names this service, the token and your account, so that it is useless to anyone else. It is valid for ten minutes; read the agent again afterwards."
      >
        {isValid && (
          <WalletButtons
            label="Sign and adopt with"
            onChoose={async (provider) => adoptWith(await signAsOwner(provider, message, agent.owner))}
          />
        )}
        <CodeBlock code={message} name="Text to sign" />
        <form onSubmit={submit}>
          <Stack>
            <Textarea
              name="signature"
              label="Signature"
              description="Of exactly this text, by the owner of the token, if it was signed elsewhere (EIP-191; for a contract ERC-1271)"
              placeholder="0x…"
              required
              autosize
              error={faults.at.signature ?? faults.at.expiresAt ?? faults.at.token}
            />
            <FormFailure faults={faults} />
            {!isValid && (
              <Text c="dimmed">Once all fields of the boundary are valid, the agent can be adopted.</Text>
            )}
            <Group>
              <Button type="submit" variant="default" disabled={!isValid} loading={adopt.isPending}>
                Adopt with this signature
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </>
  )
}

/** @throws ApiFailure if the wallet rejects, or does not hold the owner's account. */
async function signAsOwner(provider: WalletProvider, message: string, owner: string): Promise<string> {
  const { askAccounts, signText } = await import('../../wallet/signText.ts')
  const account = (await askAccounts(provider)).find((one) => one.toLowerCase() === owner.toLowerCase())
  if (account === undefined)
    throw new ApiFailure(
      'WALLET_EMPTY',
      `The wallet did not open the account ${owner}, which owns the token.`,
    )
  return signText(provider, message, account)
}
