import '../../../web/src/lib/zod-without-eval.ts';
import '@fontsource-variable/inter/wght.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { language } from './reader.ts';
import { texts } from './texts.ts';

document.documentElement.lang = language;
document.title = texts.dashboards;
const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root');
createRoot(root).render(<App />);
