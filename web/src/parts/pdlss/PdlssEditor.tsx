import { Stack, Tabs } from '@mantine/core'
import type { PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import { type ReactNode, useState } from 'react'
import { BoundaryView } from '../BoundaryView.tsx'
import { Section } from '../Section.tsx'
import { BoundaryJson } from './BoundaryJson.tsx'
import type { Boundary } from './boundaryDimensions.ts'
import { boundaryDimensions, findBoundaryProblems } from './boundaryDimensions.ts'
import { DimensionFields } from './DimensionFields.tsx'
import classes from './PdlssEditor.module.css'
import { TryBoundary } from './TryBoundary.tsx'

type Props = {
  side: PdlssSide
  boundary: Boundary
  onChange: (boundary: Boundary) => void
  /** What stands beside the form instead of the sentences of `boundary`. */
  words?: ReactNode
}

/**
 * Edits a boundary as a form or as JSON, says in sentences what it amounts to, validates it with the service's own schema,
 * and tests it on a sample request.
 *
 * Source: Spec: PDLSS object.
 */
export function PdlssEditor({ side, boundary, onChange, words }: Props) {
  const [view, setView] = useState<string | null>('form')
  const problems = findBoundaryProblems(boundary, side)
  return (
    <div className={classes.columns}>
      <Stack>
        <Tabs value={view} onChange={setView} keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="form">Form</Tabs.Tab>
            <Tabs.Tab value="json">JSON</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form">
            <Stack>
              {boundaryDimensions.map((dimension) => (
                <DimensionFields
                  key={dimension.name}
                  {...{ dimension, side, boundary, problems, onChange }}
                />
              ))}
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <BoundaryJson {...{ boundary, problems, onChange }} />
          </Tabs.Panel>
        </Tabs>
        <TryBoundary boundary={boundary} side={side} />
      </Stack>
      <div className={classes.sentences} aria-live="polite">
        <Section title="In words">{words ?? <BoundaryView boundary={boundary} side={side} />}</Section>
      </div>
    </div>
  )
}
