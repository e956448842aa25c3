import { actorOf } from '../../../modules/audit/actor-of.js';
import type { Note } from '../../../modules/notes/note.entity.js';
import { MAX_DESK_NOTE_LENGTH, type NoteSubjectKind } from '../../../modules/notes/notes.service.js';
import { Button, Form, TextArea } from '../../../shared/ui/components/controls.js';
import { Card } from '../../../shared/ui/components/layout.js';
import type { Page } from '../../../shared/ui/page.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { notesPath } from '../paths.js';
import { DoneBy } from '../words.js';

interface Props {
  kind: NoteSubjectKind;
  subject: string | number;
  notes: readonly Note[];
  me: DeskPerson;
}

/** The page of a thing, with its notes and the form for a new one at the end. */
export const withNotes = (page: Page, props: Props): Page => ({
  ...page,
  content: (
    <>
      {page.content}
      <NotesCard {...props} />
    </>
  ),
});

const NotesCard = ({ kind, subject, notes, me }: Props) => {
  const path = notesPath(kind, subject);
  return (
    <Card title="Notes" id="notes">
      {notes.map(({ id, text, actor, writtenAt }) => (
        <div class="note">
          <p class="note-text">{text}</p>
          <div class="actions small">
            <span>
              <DoneBy at={writtenAt} by={actor} />
            </span>
            {actor === actorOf(me) && (
              <Form action={`${path}/${id}/remove`} confirm="Remove this note?" bare>
                <Button>
                  Remove<span class="unseen"> the note {text.slice(0, 40)}</span>
                </Button>
              </Form>
            )}
          </div>
        </div>
      ))}
      <Form action={path}>
        <TextArea
          label="New note"
          hint="The wholesaler’s people see it, stores and clients do not."
          name="text"
          rows={2}
          maxlength={MAX_DESK_NOTE_LENGTH}
          required
        />
        <Button>Add the note</Button>
      </Form>
    </Card>
  );
};
