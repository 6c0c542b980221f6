import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/inside/toolchain.md
var __pageData = JSON.parse("{\"title\":\"Toolchain\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"inside/toolchain.md\",\"filePath\":\"inside/toolchain.md\"}");
var _sfc_main = { name: "inside/toolchain.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="toolchain" tabindex="-1">Toolchain <a class="header-anchor" href="#toolchain" aria-label="Permalink to “Toolchain”">​</a></h1><p>Facts about Node, builds, packages and checks.</p><ul><li><strong>TypeScript without a build.</strong> Only erasable syntax. Node 24 is an optional dependency per system, with a checksum in the lock file. Apple silicon gets Node 26: the registry has only 24.0.0 there.</li><li><code>bin/comporta.js</code> and <code>tools/after-install.js</code> are plain JavaScript, because an older Node runs them.</li><li><code>.npmrc</code> sets <code>loglevel=error</code>: on Node 20 npm warns of packages that never run on it.</li><li><strong>The program is built.</strong> Loading 2 350 files took 1.4 s of processor time, the built files 0.5 s. A build is named by a hash of all sources. Edited sources run directly, so an old build never runs. Nothing is minified.</li><li><strong>Lazy loading.</strong> Schemas compile at the first request of a route, and better-auth loads at the first session. Together they are a third of a start and 48 of 202 MiB. Use <code>import()</code> of the package itself: a bundler may merge a file of ours with others.</li><li><strong><code>tools/package.json</code></strong> has the programs that check and generate, a quarter of the old install of 1008 MB. Without a change, npm also installs optional peers of runtime packages, so <code>npm run -s deps -- --write</code> removes such peers from the lock file.</li><li><strong>Files under <code>deploy</code></strong> were never run in Docker or Kubernetes. Their readers&#39; schemas and our own <code>loadConfig</code> check them; <code>comporta.conf</code> and <code>restore.sh</code> are run.</li><li><strong>45 files.</strong> A payment by token goes through at most 45 files (it was 77). Files that are always read together are one file, up to about 300 lines.</li><li><strong>Schemathesis</strong> runs outside npm: it would bring Python into every installation. Each seventh operation with a body is tested at the edges of its schema per run, because all took 80 s; <code>npm run fuzz -- --schemathesis</code> takes all.</li><li>Browser flags (<code>--disable-gpu</code>, reduced motion) saved nothing measurable.</li></ul><p class="all-pages"><a href="/docs/">All pages</a></p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("inside/toolchain.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var toolchain_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, toolchain_default as default };
