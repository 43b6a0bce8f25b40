const bar = 'tradedate symbol trademin time open high low close vol amount vwap'

/** Names of the fields of each operation as section 2 of the contract lists them, copied by hand: not made from the catalogue. */
export const sectionTwo: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    news: 'published_at display_at time_label source source_name title summary url image rank source_id item_type updated_at',
    theme_lib_detail_kp:
      'theme_id name brief_intro class_layer desc plate_switch stk_switch introduction update_time table stocks stock_list zt power subscribe is_good is_new com_num good_num is_active synced_at updated_at raw_payload',
    hotstock: 's n pc rank tradedate type',
    st: 'tradedate symbol name type type_name',
    convertible_minute: bar,
    etf_minute: bar,
    theme_daily: 'tradedate symbol name type open high low close pre_close change pct_chg vol amount servertime',
    convertible_daily:
      'tradedate symbol name code pre_close open high low close change pct_chg vol amount bond_value bond_over_rate cb_value cb_over_rate',
    transfer_financing: 'tradedate opening_balance auction_amount reborrow_amount repayment_amount closing_balance',
    thememembers_jx: 'theme_symbol symbols',
    southbound_top10:
      'trade_date code name close p_change rank market_type amount net_amount sh_amount sh_net_amount sh_buy sh_sell sz_amount sz_net_amount sz_buy sz_sell',
    anomaly_forecast:
      'tradedate symbol name pct_chg rule elapsed_days deviation_pct required_pct_chg trigger_price status',
    file_download:
      'data_type year start_date end_date file_count size_bytes status url password expires_at retry_after',
    finance_announcement: 'symbol event_date title summary announcement_type content_url',
    interactive_qa: 'symbol event_date qa_id question_time question answer_time answer revision_no version_ambiguous',
  }).map(([name, fields]) => [name, fields.split(' ')]),
)
