<?php
/**
 * Plugin Name:          Comporta for WooCommerce
 * Description:          Takes payments through a Comporta payment gateway: cards, MB WAY, Multibanco and more on its hosted page.
 * Version:              0.1.0
 * Author:               Comporta
 * License:              MIT
 * License URI:          https://opensource.org/license/mit
 * Text Domain:          comporta-for-woocommerce
 * Domain Path:          /languages
 * Requires at least:    6.5
 * Requires PHP:         8.0
 * Requires Plugins:     woocommerce
 * WC requires at least: 8.2
 * WC tested up to:      10.3
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use Automattic\WooCommerce\Utilities\FeaturesUtil;

defined( 'ABSPATH' ) || exit;

const VERSION     = '0.1.0';
const GATEWAY_ID  = 'comporta';
const PLUGIN_FILE = __FILE__;
const LOG_SOURCE  = array( 'source' => 'comporta' );

const PARTS = array(
	'api'    => array( 'amount', 'exact-json', 'signature', 'answer', 'api' ),
	'orders' => array( 'order-busy', 'order-lock', 'order-record', 'checkout-body', 'checkouts', 'payments', 'refund-notes', 'refunds', 'instructions' ),
	'events' => array( 'operations', 'callback-route', 'return-route', 'catch-up' ),
	'shop'   => array( 'settings' ),
);

( static function (): void {
	foreach ( PARTS as $folder => $names ) {
		foreach ( $names as $name ) {
			require __DIR__ . "/includes/$folder/class-$name.php";
		}
	}
} )();

add_action(
	'before_woocommerce_init',
	static function (): void {
		if ( class_exists( FeaturesUtil::class ) ) {
			FeaturesUtil::declare_compatibility( 'custom_order_tables', PLUGIN_FILE, true );
			FeaturesUtil::declare_compatibility( 'cart_checkout_blocks', PLUGIN_FILE, true );
		}
	}
);

add_action(
	'init',
	static function (): void {
		load_plugin_textdomain( 'comporta-for-woocommerce', false, dirname( plugin_basename( PLUGIN_FILE ) ) . '/languages' );
	}
);

add_action(
	'plugins_loaded',
	static function (): void {
		if ( ! class_exists( 'WC_Payment_Gateway' ) ) {
			return;
		}
		require __DIR__ . '/includes/shop/class-gateway.php';
		add_filter( 'woocommerce_payment_gateways', static fn( array $gateways ): array => array( ...$gateways, Gateway::class ) );
		add_action( 'woocommerce_api_comporta_callback', array( Callback_Route::class, 'serve' ) );
		add_action( 'woocommerce_api_comporta_return', array( Return_Route::class, 'serve' ) );
		add_action( 'woocommerce_order_status_cancelled', array( Checkouts::class, 'close_cancelled' ) );
		foreach ( array( 'processing', 'completed' ) as $paid ) {
			add_action( "woocommerce_order_status_$paid", array( Payments::class, 'accept' ) );
		}
		Instructions::register();
		Catch_Up::register();
	}
);

add_action(
	'woocommerce_blocks_payment_method_type_registration',
	static function ( $registry ): void {
		require_once __DIR__ . '/includes/shop/class-blocks-method.php';
		$registry->register( new Blocks_Method() );
	}
);

register_deactivation_hook( PLUGIN_FILE, array( Catch_Up::class, 'unschedule' ) );
