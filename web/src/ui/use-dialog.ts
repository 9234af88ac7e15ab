import { useState } from 'react';

/** A dialog about one thing. `subject` outlives closing, so that the dialog does not empty itself while it fades out. */
export function useDialog<Subject>() {
  const [state, setState] = useState<{ isOpen: boolean; subject: Subject | null }>({ isOpen: false, subject: null });
  return {
    ...state,
    open: (subject: Subject) => setState({ isOpen: true, subject }),
    close: () => setState(({ subject }) => ({ isOpen: false, subject })),
  };
}
