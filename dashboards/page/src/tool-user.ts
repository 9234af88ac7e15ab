import { createContext, useContext } from 'react';
import type { ToolUser } from '../../../shared/dashboard-tool.ts';

export const ToolUserContext = createContext<ToolUser | null>(null);

/** The user of the tool, with their permissions. */
export function useToolUser(): ToolUser {
  const user = useContext(ToolUserContext);
  if (user === null) throw new Error('useToolUser outside ToolUserContext');
  return user;
}
