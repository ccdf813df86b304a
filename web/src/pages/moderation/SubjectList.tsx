import { Alert, Modal } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { type ComponentProps, useState } from 'react'
import { revealText } from '../../parts/code/revealText.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { MeasureForm } from './MeasureForm.tsx'
import type { Measure, Subject } from './measure.ts'
import { SubjectRow } from './SubjectRow.tsx'

type Props<Item> = Pick<ComponentProps<typeof Rows<Item>>, 'query' | 'empty'> & {
  toSubject: (item: Item) => Subject
}

/** A list of operators, whose rows lead to the dialog of a measure; the outcome is reported above it. */
export function SubjectList<Item>({ query, empty, toSubject }: Props<Item>) {
  const [chosen, setChosen] = useState<{ subject: Subject; measure: Measure } | null>(null)
  // The dialog is always in place, so that closing it returns the focus to the row.
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState<{ title: string; rest: string | undefined } | null>(null)
  const choose = (subject: Subject) => () => {
    if (subject.measure === null) return
    setDone(null)
    setChosen({ subject, measure: subject.measure })
    setOpen(true)
  }
  const report = (answer: AnswerOf<Measure['key']>) => {
    if (chosen === null) return
    const { subject, measure } = chosen
    setDone({ title: `${subject.name} ${measure.done}`, rest: measure.describeRest?.(answer) })
    setOpen(false)
  }
  return (
    <>
      <div role="status">
        {done && (
          <Alert color="teal" icon={<Icon name="check" />} title={revealText(done.title)} mb="md">
            {done.rest}
          </Alert>
        )}
      </div>
      <Rows query={query} empty={empty}>
        {(item) => {
          const subject = toSubject(item)
          return <SubjectRow key={subject.id} subject={subject} onChoose={choose(subject)} />
        }}
      </Rows>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={chosen?.measure.title}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {chosen && <MeasureForm {...chosen} onDone={report} onClose={() => setOpen(false)} />}
      </Modal>
    </>
  )
}
