import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/0020-payout-permission.md
var __pageData = JSON.parse("{\"title\":\"0020: Payout permission\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0020-payout-permission.md\",\"filePath\":\"decisions/0020-payout-permission.md\"}");
var _sfc_main = { name: "decisions/0020-payout-permission.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="0020-payout-permission" tabindex="-1">0020: Payout permission <a class="header-anchor" href="#0020-payout-permission" aria-label="Permalink to “0020: Payout permission”">​</a></h1><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to “Context”">​</a></h2><p>Programs may order payouts, and merchants want scheduled ones. A stolen key that takes payments should not be able to move money out.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to “Decision”">​</a></h2><p><strong><code>POST /api/v2/payouts</code> and the schedule need the permission <code>payouts</code>. No key has it unless the operator gives it. Reading needs <code>operations</code>.</strong></p><ul><li>No key can change the IBAN of a wallet.</li><li>A schedule runs on TARGET days at 06:00 in Lisbon, because banks pay on no other days. Another day moves to the next TARGET day.</li><li>Each day of a schedule is one row, with the id of its payout, written before the order. After a crash the same id is used, so there is one payout or none.</li><li>Days that passed while the gateway was stopped are skipped. Their money is in the next payout.</li><li>A day without a payout has a reason: <code>below_minimum</code>, <code>no_iban</code>, <code>no_bank</code>, <code>suspended</code> or <code>limit_reached</code>.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to “Consequences”">​</a></h2><ul><li>An existing integration needs a new key, or a new permission for its key, before it can order payouts.</li><li>A changed schedule counts from the next day.</li><li>If a payout cannot be ordered for another reason, the gateway tries again every two minutes.</li></ul><h2 id="check" tabindex="-1">Check <a class="header-anchor" href="#check" aria-label="Permalink to “Check”">​</a></h2><p><code>test/spec/account.test.ts</code>, <code>test/crashes/other-methods.test.ts</code>, <code>test/races/balances.test.ts</code>, <code>src/payouts/rules.test.ts</code>.</p><p class="all-pages"><a href="/docs/">All pages</a></p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0020-payout-permission.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0020_payout_permission_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0020_payout_permission_default as default };
