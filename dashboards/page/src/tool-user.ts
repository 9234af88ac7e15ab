import { createContext, useContext } from 'react';
import type { ToolUser } from '../../../shared/dashboard-tool.ts';

export const ToolUserContext = createContext<ToolUser | null>(null);

/** Who looks at the tool, and what it may do. */
export function useToolUser(): ToolUser {
  const user = useContext(ToolUserContext);
  if (user === null) throw new Error('useToolUser outside ToolUserContext');
  return user;
}
